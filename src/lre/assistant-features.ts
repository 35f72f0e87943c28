/** The whole row of a turn between a person and an assistant: dialogue features of both streams, role features, topics. */

import { DIALOGUE_FEATURES, DialogueFeatures } from "./dialogue-features.js";
import { ROLE_FEATURES, RoleFeatures, type RoleTurn } from "./role-features.js";
import { TOPIC_FEATURES, Topics } from "./topics.js";

/** What the session had become when the unit was last looked at; the same as `session…` on arrival. */
const END_FEATURES: readonly string[] = "endShare endFirstShare endHumanTurns endLongest endPasted endImperative".split(" ");

/** Columns of a row: dialogue over all turns ("all."), over the person's turns alone ("own."), role, topic and session-end features.
 * The word statistics of a person's turns are kept apart, so that an assistant's long turns do not drown them. */
export const ASSISTANT_FEATURES: readonly string[] = [
  ...DIALOGUE_FEATURES.map((name) => `all.${name}`),
  ...DIALOGUE_FEATURES.map((name) => `own.${name}`),
  ...ROLE_FEATURES,
  ...TOPIC_FEATURES,
  ...END_FEATURES,
];

const OWN = DIALOGUE_FEATURES.length;
const ROLE = OWN + DIALOGUE_FEATURES.length;
/** First of the columns that {@link AssistantFeatures.revise} renews. */
export const REVISABLE = ROLE + ROLE_FEATURES.length;
const END = REVISABLE + TOPIC_FEATURES.length;

/** Streams over one conversation; {@link dense} is the row of the last turn as known on arrival. */
export class AssistantFeatures {
  readonly dense = new Float64Array(ASSISTANT_FEATURES.length);
  /** Both streams hash the same words; this one has heard the last turn. */
  readonly all = new DialogueFeatures();
  private readonly own = new DialogueFeatures();
  private readonly role = new RoleFeatures();
  private readonly topics = new Topics();
  /** Values of the session's end as known so far, by session, and the session of each turn. */
  private readonly ends: number[][] = [];
  private readonly sessionOf: number[] = [];
  private key: string | number | undefined;

  push(turn: RoleTurn): void {
    const { dense } = this;
    const heard = { speaker: turn.role, session: turn.session, text: turn.text };
    this.all.push(heard);
    dense.set(this.all.dense, 0);
    dense.fill(0, OWN, ROLE);
    if (turn.role === "user") {
      this.own.push(heard);
      dense.set(this.own.dense, OWN);
    }
    this.role.push(turn);
    dense.set(this.role.dense, ROLE);
    const at = this.sessionOf.length;
    dense.set(this.topics.push(turn.session, at, turn.role === "user" ? this.role.stems : []), REVISABLE);
    if (at === 0 || turn.session !== this.key) this.ends.push([]);
    this.key = turn.session;
    const end = this.role.sessionValues();
    this.ends[this.ends.length - 1] = end;
    this.sessionOf.push(this.ends.length - 1);
    dense.set(end, END);
  }

  /** The revisable columns of every turn so far, with all that is known now: the second, named mode of scoring ("at eviction"). */
  revise(report: (at: number, revised: readonly number[]) => void): void {
    this.topics.revise((at, topics) => report(at, [...topics, ...(this.ends[this.sessionOf[at] ?? 0] ?? [])]));
  }
}
