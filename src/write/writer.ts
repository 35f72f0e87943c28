/** SLM-3 without a model: what of each turn is worth keeping, by rules. */

import type { CallOptions, RecentTurn, Statement, WriteInput, WriteOutput, Writer } from "../ports.js";
import { findIdentifiers } from "../text/identifiers.js";
import type { TimeMention } from "../text/time.js";
import { timeMentions } from "../text/time.js";
import type { RefusalReason, Source } from "../types.js";
import { attributesIn } from "./attributes.js";
import { CodeBlocks } from "./code-blocks.js";
import { nextContext, previousContext, SESSION_GAP_MS } from "./context.js";
import { eventTimeOf, narrowWindows, withDates } from "./dates.js";
import { judgeSentence, REMEMBER, tellsInAsking, type Verdict } from "./gate.js";
import { PASTED } from "./gate-features.js";
import type { GatedSentence } from "./gate-stream.js";
import { GateStreams } from "./gate-streams.js";
import { kindOf } from "./kinds.js";
import type { RecalledText } from "./recalled.js";
import { recalledTexts, repeatsRecalled } from "./recalled.js";
import { salienceOf } from "./salience.js";
import { type PlacedSentence, placedSentences } from "./sentences.js";

type NewTurn = WriteInput["turns"][number];
type Refused = WriteOutput["refused"][number];

/** Characters of a turn that are read and indexed. The rest stays in the stored turn and is told as refused: "too-large". */
export const MAX_READ = 20_000;
/** Characters of an entry's shown text: an assistant's long answer must not fill the whole context. At 900 the ten entries of a
 * question cost .67 of its ten turns on LongMemEval; search runs on the whole reply in any case. */
const MAX_SHOWN = 1_600;
const MAX_SHOWN_ASSISTANT = 500;
/** An assistant's reply with fewer letters says nothing to come back to, unless it holds a number ("every 72 hours"). */
const MIN_ASSISTANT_LETTERS = 30;
const MAX_REFUSED = 20;
const MAX_REFUSED_TEXT = 200;

interface Sentence extends PlacedSentence {
  readonly salience: number;
}

/** Cuts between characters, never inside a surrogate pair. */
function head(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** As many of the sentences as fit, the most salient first, in the order of the text; always at least one. */
function shown(sentences: readonly Sentence[], limit: number): Sentence[] {
  let room = limit;
  const chosen = new Set<Sentence>();
  for (const sentence of [...sentences].sort((left, right) => right.salience - left.salience || left.start - right.start)) {
    const length = Math.min(limit, sentence.text.length);
    if (length > room && chosen.size > 0) continue;
    room -= length;
    chosen.add(sentence);
  }
  return sentences.filter((sentence) => chosen.has(sentence));
}

/** Neighbouring sentences as one slice of the turn. */
function runs(turn: string, sentences: readonly Sentence[], limit: number): { readonly start: number; readonly end: number }[] {
  const slices: { start: number; end: number }[] = [];
  for (const { start, end } of sentences) {
    const last = slices.at(-1);
    const stop = start + head(turn.slice(start, end), limit).length;
    if (last !== undefined && turn.slice(last.end, start).trim() === "") last.end = stop;
    else slices.push({ start, end: stop });
  }
  return slices;
}

export class LiteWriter implements Writer {
  readonly #gates: GateStreams;

  /** @param onMissing told when the gate must do without a part of it */
  constructor({ onMissing }: { readonly onMissing?: (error: unknown) => void } = {}) {
    this.#gates = new GateStreams(onMissing);
  }

  /** At most one statement a turn: it is found by what was said, and shows what matters of it.
   *
   * Of a person's sentences those pass that the learned gate finds among the best of the conversation. Not kept are questions
   * and requests that tell nothing, greetings, thanks and reactions, lines of machines, and what only repeats a recalled text;
   * what the tools and the system said is the app's. An assistant's reply is kept as its own claim. */
  async write(input: WriteInput, { signal }: CallOptions = {}): Promise<WriteOutput> {
    const names = namesIn(input);
    const recalled = recalledTexts(input.recalled);
    const statements: Statement[] = [];
    const refused: Refused[] = [];
    if (input.turns.length === 0) return { statements, refused };
    const conversation = await this.#gates.before(input);
    input.turns.forEach((turn, index) => {
      signal?.throwIfAborted();
      const sentences = placedSentences(head(turn.text, MAX_READ));
      const gated = conversation.push(
        turn,
        sentences.map(({ text }) => text),
      );
      const statement = statementOf(turn, sentences, gated, {
        names,
        recalled,
        timeZone: input.timeZone,
        refused,
        context: contextOf(input, index),
      });
      if (statement !== undefined) statements.push(statement);
    });
    return { statements, refused };
  }
}

interface Setting {
  readonly names: ReadonlySet<string>;
  readonly recalled: readonly RecalledText[];
  readonly timeZone: string;
  readonly context: Statement["context"];
  /** Grows. */
  readonly refused: Refused[];
}

function statementOf(
  turn: NewTurn,
  sentences: readonly PlacedSentence[],
  gated: readonly GatedSentence[],
  setting: Setting,
): Statement | undefined {
  const { role, at: saidAt, id: turnId } = turn;
  const refuse = (text: string, reason: RefusalReason): undefined => {
    setting.refused.push({ text: head(text, MAX_REFUSED_TEXT), reason });
  };
  if (turn.text.trim() === "") return refuse(turn.text, "empty");
  if (role === "system" || role === "tool") return refuse(turn.text, "not-salient");
  const read = head(turn.text, MAX_READ);
  const mentions = timeMentions(read, { at: saidAt, timeZone: setting.timeZone, bias: "nearest" });
  const identifiers = findIdentifiers(read);
  const judged = sentences.map((sentence, at) => ({ ...sentence, gated: gated[at] }));
  const kept = keptSentences(turn, judged, { read, mentions, identifiers }, setting, refuse);
  if (kept.length === 0) return undefined;
  if (role === "assistant" && letters(kept) < MIN_ASSISTANT_LETTERS && !kept.some(({ text }) => /\p{N}/u.test(text)))
    return refuse(turn.text, "small-talk");
  if (read.length < turn.text.length) refuse(turn.text.slice(read.length), "too-large");

  const limit = role === "assistant" ? MAX_SHOWN_ASSISTANT : MAX_SHOWN;
  const slices = runs(read, shown(kept, limit), limit);
  const text = slices.map(({ start, end }) => withDates(read, start, end, mentions)).join(" ");
  const eventTime = eventTimeOf(mentions, slices);
  const windows = narrowWindows(mentions);
  return {
    turnId,
    subject: turn.name ?? role,
    text,
    indexText: read,
    // What an assistant says of plans and likes is advice about somebody else's.
    kind:
      role === "assistant" ? "fact" : kindOf(slices.map(({ start, end }) => read.slice(start, end)).join(" "), saidAt, eventTime),
    tags: role === "assistant" ? [] : attributesIn(slices.map(({ start, end }) => read.slice(start, end)).join(" ")),
    ...(eventTime !== undefined && { eventTime }),
    ...(windows.length > 0 && { mentions: windows }),
    saidAt,
    sources: slices.map(
      ({ start, end }): Source => ({
        turnId,
        role,
        ...(turn.name !== undefined && { speaker: turn.name }),
        quote: read.slice(start, end),
      }),
    ),
    identifiers,
    salience: Math.max(...kept.map(({ salience }) => salience)),
    ...(setting.context !== undefined && { context: setting.context }),
  };
}

/** Begins with what stands for something of the sentence before: "We changed the codeword. It's lighthouse now." */
const CONTINUES =
  /^(?:and |but |so )?(?:it|its|it['’]s|that['’]s|this is|she|she['’]s|he|he['’]s|they|they['’]re|her|his|their|es|sie|er|das ist|la|lo|ella|él)(?!\p{L})|^(?:它|她|他|这是|那是)/iu;
const OF_SELF = /(?<![\p{L}'’])(?:i|i['’](?:m|ve|d|ll)|we|we['’](?:re|ve|d|ll)|ich|wir|yo|nosotros)(?!\p{L})|[我咱]/iu;

/** A number or a time of something named (an address, a price, an appointment), or what a person likes or has decided ("I've turned
 * vegetarian"). */
function isTold(text: string, at: number, hasTime: boolean): boolean {
  if ((hasTime || /\p{N}{2}/u.test(text)) && /(?<=[\p{Ll},] )\p{Lu}\p{Ll}/u.test(text)) return true;
  const kind = OF_SELF.test(text) ? kindOf(text, at) : "fact";
  return kind === "preference" || kind === "decision";
}

interface ReadTurn {
  readonly read: string;
  readonly mentions: readonly TimeMention[];
  readonly identifiers: readonly string[];
}

function keptSentences(
  turn: NewTurn,
  sentences: readonly (PlacedSentence & { readonly gated: GatedSentence | undefined })[],
  { read, mentions, identifiers }: ReadTurn,
  { names, recalled }: Setting,
  refuse: (text: string, reason: RefusalReason) => void,
): Sentence[] {
  const kept: Sentence[] = [];
  let refusals = 0;
  const code = new CodeBlocks(read);
  /** The sentence before, where the gate alone left it out: it may come back with the one that goes on about it. */
  let left: Sentence | undefined;
  let isBeforeKept = false;
  const leave = (text: string, reason: RefusalReason): void => {
    if (refusals++ < MAX_REFUSED) refuse(text, reason);
  };
  for (const { text, start, end, gated } of sentences) {
    const block = code.kindOf({ text, start, end }, isBeforeKept && turn.role === "user" ? kept.at(-1)?.text : undefined);
    const held = identifiers.filter((one) => text.includes(one)).length;
    const isPasted = read.length > PASTED;
    const hasTime = mentions.some(({ index }) => index >= start && index < end);
    const formal = salienceOf(text, { role: turn.role, hasTime, identifiers: held, pasted: isPasted });
    const sentence = { text, start, end, salience: salienceWith(formal, gated, text) };
    // To an assistant a person tells little, and much of it in passing; between people the gate passes more as it is.
    const isAside = !isPasted && turn.role === "user" && turn.name === undefined;
    const continues = isAside && CONTINUES.test(text);
    const byRule: Verdict = block ? (block === "code" ? "not-salient" : "keep") : judgeSentence(text, turn.role, names);
    const verdict: Verdict = block
      ? byRule
      : gatedVerdict(text, byRule, gated, {
          // What a paraphrase would ruin is kept, unless it was pasted with much else.
          holdsIdentifier: !isPasted && held > 0,
          isTold: isAside && (isTold(text, turn.at, hasTime) || (continues && isBeforeKept)),
        });
    const repeats = repeatsRecalled(text, turn.role, recalled);
    const isKept: boolean = verdict === "keep" && !repeats;
    if (left && isKept && continues) kept.push(left);
    else if (left) leave(left.text, "not-salient");
    left = undefined;
    if (isKept) kept.push(sentence);
    else if (byRule === "keep" && !repeats) left = sentence;
    else leave(text, verdict === "keep" ? "repeats-recalled" : verdict);
    isBeforeKept = isKept;
  }
  if (left) leave(left.text, "not-salient");
  return kept;
}

/** What the rules say, and the gate of what they let through. */
function gatedVerdict(
  text: string,
  verdict: Verdict,
  gated: GatedSentence | undefined,
  { holdsIdentifier, isTold }: { readonly holdsIdentifier: boolean; readonly isTold: boolean },
): Verdict {
  if (!gated || REMEMBER.test(text)) return verdict;
  // Who asks about appointment 90123456 says its number.
  if (verdict === "question") return holdsIdentifier || (gated.passesAsking && tellsInAsking(text)) ? "keep" : verdict;
  return verdict === "keep" && !gated.passes && !holdsIdentifier && !isTold ? "not-salient" : verdict;
}

/** By its form and by its place among the sentences of the conversation. */
const salienceWith = (formal: number, gated: GatedSentence | undefined, text: string): number =>
  gated && !REMEMBER.test(text) ? (formal + gated.rank) / 2 : formal;

function letters(sentences: readonly Sentence[]): number {
  // A Chinese character says about as much as two and a half letters.
  return sentences.reduce(
    (sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) + 1.5 * (text.match(/\p{Script=Han}/gu)?.length ?? 0),
    0,
  );
}

/** The speakers' names in lower case, whole and by word: to greet somebody by name is still a greeting. */
function namesIn({ turns, recent }: WriteInput): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { name } of [...turns, ...recent]) {
    for (const word of name?.toLowerCase().split(/\s+/u) ?? []) names.add(word);
  }
  return names;
}

/** The words around a turn in its session, which help to find it. */
function contextOf({ turns, recent, next: following }: WriteInput, index: number): Statement["context"] {
  const turn = turns[index];
  if (turn === undefined) return undefined;
  const near = (other: { readonly at: number; readonly sessionId?: string } | undefined): boolean =>
    other !== undefined &&
    (other.sessionId === undefined ? Math.abs(turn.at - other.at) <= SESSION_GAP_MS : other.sessionId === turn.sessionId);
  const before: NewTurn | RecentTurn | undefined = index > 0 ? turns[index - 1] : recent.at(-1);
  const after = turns[index + 1] ?? following;
  const previous = before !== undefined && near(before) ? previousContext(before.text) : "";
  const next = after !== undefined && near(after) ? nextContext(after.text) : "";
  if (previous === "" && next === "") return undefined;
  return { ...(previous !== "" && { previous }), ...(next !== "" && { next }) };
}
