/** The sentence gates of the conversations that are being written, each rebuilt from the stored turns when it is not at hand. */

import { hashWord } from "../lre/hash.js";
import type { WriteInput } from "../ports.js";
import type { ConversationId, TurnId } from "../types.js";
import type { TurnScorer } from "./gate-history.js";
import { type GatedSentence, type GateProfile, GateStream } from "./gate-stream.js";
import { placedSentences } from "./sentences.js";

type NewTurn = WriteInput["turns"][number];

/** Turns that a judgement may rest on. */
export const GATE_TURNS = 200;
/** A stream begins at one of the older half of them. */
const ANCHORS = 100;
/** Conversations kept at hand. */
const MAX_OPEN = 8;
/** Characters of a turn that are read. */
const READ = 20_000;

type Held = Pick<NewTurn, "id" | "role" | "name" | "sessionId" | "text">;

/** Where the stream behind these turns begins: at the conversation's start while all of it is held, else at a turn of the older
 * half that is chosen by its id. So the same turns give the same stream, whoever has followed them for however long, and it
 * begins anew only when that turn has gone by. */
function anchorOf(turns: readonly Held[]): number {
  if (turns.length < GATE_TURNS) return 0;
  let best = 0;
  for (let at = 1; at < ANCHORS; at++) if (hashWord((turns[at] as Held).id) < hashWord((turns[best] as Held).id)) best = at;
  return best;
}

/** What tools and the system say is the app's. */
const isSpoken = ({ role }: Held): boolean => role === "user" || role === "assistant";

/** People talk among themselves where several are named and no assistant speaks. */
function profileOf(turns: readonly Held[]): GateProfile {
  const names = new Set(turns.map(({ name }) => name));
  names.delete(undefined);
  return names.size > 1 && turns.every(({ role }) => role !== "assistant") ? "people" : "assistant";
}

/** One conversation, followed turn by turn. */
class FollowedConversation {
  readonly #createScorer: ((profile: GateProfile) => TurnScorer) | undefined;
  /** The last turns, oldest first. */
  #turns: Held[] = [];
  #stream: GateStream | undefined;
  #anchor: TurnId | undefined;

  constructor(turns: readonly NewTurn[], createScorer: ((profile: GateProfile) => TurnScorer) | undefined) {
    this.#createScorer = createScorer;
    for (const turn of turns) this.#hold(turn);
  }

  get lastTurnId(): TurnId | undefined {
    return this.#turns.at(-1)?.id;
  }

  /** Takes the next turn in. @returns one judgement a sentence of a person; none of another's */
  push(turn: NewTurn, sentences: readonly string[]): GatedSentence[] {
    const profile = profileOf([...this.#turns, turn]);
    const from = anchorOf(this.#turns);
    const anchor = this.#turns[from]?.id ?? turn.id;
    let stream = this.#stream;
    if (!stream || this.#anchor !== anchor || stream.profile !== profile) {
      stream = new GateStream(profile, this.#createScorer?.(profile));
      for (const heard of this.#turns.slice(from).filter(isSpoken))
        stream.push(heard, heard.role === "user" ? placedSentences(heard.text).map(({ text }) => text) : []);
      this.#stream = stream;
      this.#anchor = anchor;
    }
    this.#hold(turn);
    return isSpoken(turn) ? stream.push({ ...turn, text: turn.text.slice(0, READ) }, sentences) : [];
  }

  #hold({ id, role, name, sessionId, text }: NewTurn): void {
    this.#turns.push({ id, role, sessionId, text: text.slice(0, READ), ...(name !== undefined && { name }) });
    if (this.#turns.length > GATE_TURNS) this.#turns.shift();
  }
}

export class GateStreams {
  readonly #open = new Map<ConversationId, FollowedConversation>();
  readonly #onMissing: (error: unknown) => void;

  /** @param onMissing told when turns cannot be scored: the gate then goes by the sentences alone */
  constructor(onMissing: (error: unknown) => void = () => undefined) {
    this.#onMissing = onMissing;
  }

  /** The conversation that turns are about to be written of, as it was before them. */
  async before({ turns, history }: WriteInput): Promise<Pick<FollowedConversation, "push">> {
    const createScorer = await this.#scorers();
    if (history === undefined) return new FollowedConversation([], createScorer);
    const id = turns[0]?.conversationId as ConversationId;
    const known = this.#open.get(id);
    // A record that was tried and failed has been followed too, and a turn may be gone: then the stored turns tell.
    const followed =
      known && known.lastTurnId === history.lastTurnId
        ? known
        : new FollowedConversation(history.lastTurnId === undefined ? [] : await history.read(GATE_TURNS), createScorer);
    this.#open.delete(id);
    this.#open.set(id, followed);
    if (this.#open.size > MAX_OPEN) this.#open.delete(this.#open.keys().next().value as ConversationId);
    return followed;
  }

  async #scorers(): Promise<((profile: GateProfile) => TurnScorer) | undefined> {
    try {
      return (await import("./gate-scorer.js")).createTurnScorer;
    } catch (error) {
      this.#onMissing(error);
      return undefined;
    }
  }
}
