/** One door to the features of the three profiles: a unit goes in, a row of numbers and the role that scores it come out. */

import { AGENT_FEATURES, AgentFeatures, identifiersOf, type UnitIdentifiers } from "./agent-features.js";
import { ASSISTANT_FEATURES, AssistantFeatures, REVISABLE } from "./assistant-features.js";
import { DIALOGUE_FEATURES, DialogueFeatures } from "./dialogue-features.js";
import type { Profile } from "./model.js";
import { actionOf, textOf, type Unit } from "./unit.js";

/** Streams over one history; what it holds after {@link push} is of that unit, known from the units before it alone. */
export interface Extractor {
  readonly columns: readonly string[];
  readonly dense: Float64Array;
  readonly buckets: Int32Array;
  readonly bucketCount: number;
  /** Which part of a model scores the last unit. */
  readonly role: string;
  push(unit: Unit, identifiers?: UnitIdentifiers): void;
  /** Columns from `first` on of every unit so far, with what is known now; absent where nothing is revised. */
  revise?(report: (at: number, revised: readonly number[]) => void): void;
}

/** First column that a revision renews, or the number of columns. */
export const firstRevisable = (profile: Profile): number => (profile === "assistant" ? REVISABLE : featuresOf(profile).length);

/** Names of the columns of a profile. */
export function featuresOf(profile: Profile): readonly string[] {
  if (profile === "people") return DIALOGUE_FEATURES;
  return profile === "assistant" ? ASSISTANT_FEATURES : AGENT_FEATURES;
}

class PeopleExtractor implements Extractor {
  readonly columns = DIALOGUE_FEATURES;
  readonly role = "";
  private readonly stream = new DialogueFeatures();
  readonly dense = this.stream.dense;
  readonly buckets = this.stream.buckets;

  get bucketCount(): number {
    return this.stream.bucketCount;
  }

  push(unit: Unit): void {
    const caption = unit.caption === undefined ? {} : { caption: unit.caption };
    const text = unit.calls || unit.results ? textOf(unit) : unit.text;
    this.stream.push({ speaker: unit.speaker ?? unit.role, session: unit.session ?? "", text, ...caption });
  }
}

class AssistantExtractor implements Extractor {
  readonly columns = ASSISTANT_FEATURES;
  role = "user";
  private readonly stream = new AssistantFeatures();
  readonly dense = this.stream.dense;
  readonly buckets = this.stream.all.buckets;

  get bucketCount(): number {
    return this.stream.all.bucketCount;
  }

  push(unit: Unit): void {
    // Tools and instructions speak on the assistant's side.
    const role = unit.role === "user" ? "user" : "assistant";
    this.role = role;
    this.stream.push({
      role,
      session: unit.session ?? "",
      text: unit.calls || unit.results || unit.caption ? textOf(unit) : unit.text,
    });
  }

  revise(report: (at: number, revised: readonly number[]) => void): void {
    this.stream.revise(report);
  }
}

const NO_BUCKETS = new Int32Array(0);

class AgentExtractor implements Extractor {
  readonly columns = AGENT_FEATURES;
  readonly role = "";
  readonly buckets = NO_BUCKETS;
  readonly bucketCount = 0;
  private readonly stream = new AgentFeatures();
  readonly dense = this.stream.dense;

  push(unit: Unit, identifiers: UnitIdentifiers = identifiersOf(unit)): void {
    this.stream.push(unit, identifiers);
  }
}

export function createExtractor(profile: Profile): Extractor {
  if (profile === "people") return new PeopleExtractor();
  return profile === "assistant" ? new AssistantExtractor() : new AgentExtractor();
}

/** Words of a unit that count as its author's, for labels. */
export const spokenText = (unit: Unit): string => (unit.caption ? `${actionOf(unit)} ${unit.caption}` : textOf(unit));
