/** What the sources of a statement say: their numbers, dates, identifiers and names, and what they deny or leave open. */

import type { Statement } from "../ports.js";
import { findIdentifiers } from "../text/identifiers.js";
import { numberMentions } from "../text/numbers.js";
import { fold, termsOf } from "../text/terms.js";
import { type TimeMention, timeMentions } from "../text/time.js";
import type { Role, Source, Timestamp, TimeWindow, TurnId, UngroundedFact } from "../types.js";
import { type NameMention, nameKey, namesIn } from "./names.js";
import { clausesOf, placedSentences } from "./sentences.js";
import { isNegated, isNegative, isOpen } from "./signals.js";

/** A turn that a statement may rest on. */
export interface SaidTurn {
  readonly id: TurnId;
  readonly role: Role;
  readonly name?: string;
  readonly text: string;
  readonly at: Timestamp;
}

const WEEK_MS = 7.5 * 24 * 60 * 60 * 1_000;
/** People are vague so: the day in the middle is what they mean. */
const VAGUE_TIME = /\b(?:ago|back|earlier|vor|hace)\b|前/iu;
/** What comes after a name that opens a sentence, and after few other words. */
const VERB =
  /(?:s|ed|['’]s)$|^(?:is|was|are|were|has|had|have|will|can|could|would|and|went|got|bought|told|said|made|gave|took|came|lives?|hat|ist|war|es|fue|tiene|y|und)$/iu;
/** Whom a sentence is about that is not about the speaker: "My friend Tom loves sushi". */
const OF_ANOTHER =
  /^(?:and |but |so |by the way,? |oh,? )*(?:my|our|mein\p{L}*|unser\p{L}*|mi|nuestr\p{L}+)\s+(?:\p{L}+\s+)?(friend|best friend|mother|mom|mum|father|dad|sister|brother|wife|husband|son|daughter|aunt|uncle|cousin|niece|nephew|grand\p{L}+|partner|boyfriend|girlfriend|fianc\p{L}+|boss|colleague|co-?worker|roommate|flatmate|neighbou?r|teacher|kid|child|baby|dog|cat|freund\p{L}*|mutter|vater|schwester|bruder|frau|mann|amig[oa]|madre|padre|herman[oa]|espos[oa])\b/iu;
const SPEAKER = /(?<![\p{L}'’])(?:i|we|ich|wir|yo|nosotros)(?![\p{L}])/iu;

const AMOUNT = /^(?:[A-Z]{0,2}[$€£¥₹])?\s?\d[\d.,' ]*\s?(?:k|m|bn|thousand|million|billion)?\s?(?:\p{L}+|[$€£¥₹])?$/iu;
const CURRENCIES: readonly RegExp[] = [
  /\$|dollar|\busd|bucks|美元/iu,
  /€|euro|\beur\b|欧元/iu,
  /£|pound|\bgbp/iu,
  /¥|yen|yuan|\b(?:jpy|cny|rmb)|元|块|円/iu,
  /₹|rupee|\binr/iu,
  /franc|franken|\bchf/iu,
];

const isAmount = (text: string): boolean => AMOUNT.test(text) && CURRENCIES.some((words) => words.test(text));

type MentionsOf = (turn: SaidTurn) => readonly TimeMention[];

/** How a model calls the person. */
const THE_USER = "the user";
/** Share of a sentence's content words that a paraphrase may bring: two of three are the person's own. */
const MOST_UNSAID = 1 / 3;

export class Evidence {
  readonly #texts: readonly string[];
  readonly #folded: string;
  readonly #names: ReadonlySet<string>;
  readonly #mentions: readonly TimeMention[];
  #numbers: ReadonlySet<string> | undefined;
  #known: ReadonlySet<string> | undefined;

  /** @param turns those that the sources are of */
  constructor(sources: readonly Source[], turns: ReadonlyMap<TurnId, SaidTurn>, mentionsOf: MentionsOf) {
    this.#texts = sources.map(({ quote }) => quote);
    this.#folded = fold(this.#texts.join("\n"));
    this.#names = new Set(sources.flatMap(({ speaker }) => speaker?.split(/\s+/u).map(nameKey) ?? []));
    this.#mentions = sources.flatMap(({ turnId, quote }) => {
      const turn = turns.get(turnId);
      const start = turn?.text.indexOf(quote) ?? -1;
      if (!turn || start < 0) return [];
      return mentionsOf(turn).filter(({ index }) => index >= start && index < start + quote.length);
    });
  }

  /** Whether a text is the quotes themselves, dates beside relative expressions aside. */
  isVerbatim(text: string): boolean {
    const spaced = (one: string): string => one.replaceAll(/\s+/gu, " ").trim();
    return spaced(this.#withoutDates(text)) === spaced(this.#texts.join(" "));
  }

  /** What a statement says and these sources do not. */
  missingFrom(statement: Statement, timeZone: string): UngroundedFact[] {
    const text = this.#withoutDates(statement.text);
    const missing: UngroundedFact[] = [];
    let rest = text;
    const blank = (from: number, length: number): void => {
      rest = rest.slice(0, from) + " ".repeat(length) + rest.slice(from + length);
    };
    for (const identifier of findIdentifiers(text)) {
      // Who earns 10k euros earns 10,000 euros.
      if (isAmount(identifier)) {
        if (!this.#pays(identifier)) missing.push({ kind: "number", text: identifier });
      } else if (!this.#texts.some((quote) => holdsWhole(quote, identifier))) {
        missing.push({ kind: "identifier", text: identifier });
      }
      for (let at = rest.indexOf(identifier); at >= 0; at = rest.indexOf(identifier, at + identifier.length))
        blank(at, identifier.length);
    }
    for (const mention of timeMentions(text, { at: statement.saidAt, timeZone, bias: "nearest" })) {
      if (!this.#tells(mention)) missing.push({ kind: "date", text: mention.text });
      blank(mention.index, mention.text.length);
    }
    for (const { text: number, values, vague } of numberMentions(rest))
      if (!vague && !this.#counts(values)) missing.push({ kind: "number", text: number });
    for (const name of namesIn(rest))
      if (this.#isMissing(name, statement.subject)) missing.push({ kind: "name", text: name.text });
    return [...missing, ...this.#turned(text)];
  }

  /** Words of sentences that are about something else: too few of their content words are the sources'. */
  foreignWords({ text, subject }: Statement): UngroundedFact[] {
    const persons = new Set([...this.#names, subject, THE_USER].flatMap((name) => termsOf(name)));
    const foreign: UngroundedFact[] = [];
    for (const { text: sentence } of placedSentences(this.#withoutDates(text))) {
      const all = new Set(termsOf(sentence));
      const terms = [...all].filter((term) => !persons.has(term));
      const unsaid = terms.filter((term) => !this.#terms.has(term));
      if (all.size === 0 || unsaid.length > MOST_UNSAID * terms.length)
        foreign.push({ kind: "words", text: unsaid.join(" ") || sentence });
    }
    return foreign;
  }

  /** Whether the sources say this. */
  holds({ kind, text }: UngroundedFact): boolean {
    if (kind === "words") return termsOf(text).length > 0 && termsOf(text).every((term) => this.#terms.has(term));
    if (kind === "identifier") return this.#texts.some((quote) => holdsWhole(quote, text));
    if (kind === "number" && isAmount(text)) return this.#pays(text);
    if (kind === "number") return numberMentions(text).every(({ values }) => this.#counts(values));
    if (kind === "name") return this.#names.has(nameKey(text)) || this.#says(text);
    return kind === "date" && this.#folded.includes(fold(text));
  }

  get #terms(): ReadonlySet<string> {
    this.#known ??= new Set(this.#texts.flatMap((quote) => termsOf(quote)));
    return this.#known;
  }

  /** Without the dates that were written beside the sources' own expressions. */
  #withoutDates(text: string): string {
    let rest = text;
    for (const { date, doubtful } of this.#mentions) if (!doubtful) rest = rest.replaceAll(` (${date})`, "");
    return rest;
  }

  #counts(values: readonly string[]): boolean {
    this.#numbers ??= new Set(this.#texts.flatMap((quote) => numberMentions(quote).flatMap((one) => one.values)));
    return values.some((value) => this.#numbers?.has(value));
  }

  #pays(amount: string): boolean {
    const currency = CURRENCIES.find((words) => words.test(amount));
    return numberMentions(amount).every(({ values }) => this.#counts(values)) && (currency?.test(this.#folded) ?? true);
  }

  #tells({ text, window }: TimeMention): boolean {
    if (this.#mentions.length === 0) return this.#folded.includes(fold(text));
    return this.#mentions.some((said) => derives(window, said));
  }

  #isMissing(name: NameMention, subject: string): boolean {
    const key = nameKey(name.text);
    if (this.#names.has(key) || nameKey(subject).split(/\s+/u).includes(key) || this.#says(name.text)) return false;
    if (!name.opens) return true;
    // "Works at the harbour" of "I work at the harbour" opens with no name.
    const [stem] = termsOf(name.text);
    if (stem !== undefined && this.#texts.some((quote) => termsOf(quote).includes(stem))) return false;
    return VERB.test(name.next);
  }

  #says(name: string): boolean {
    const key = nameKey(name);
    if (!/\p{Script=Latin}/u.test(key)) return this.#folded.includes(key);
    return new RegExp(`(?<![\\p{L}\\p{N}])${escaped(key)}(?:'?s)?(?!\\p{Script=Latin})`, "u").test(this.#folded);
  }

  /** Denials and wishes that were lost or made up, and persons whom a statement leaves out. */
  #turned(text: string): UngroundedFact[] {
    const turned: UngroundedFact[] = [];
    const sentences = this.#texts.flatMap((quote) => placedSentences(quote).map((one) => one.text));
    for (const { text: sentence } of placedSentences(text)) {
      const source = closest(sentence, sentences);
      if (source === undefined) continue;
      const clause = closest(sentence, clausesOf(source)) ?? source;
      if (isNegated(sentence) ? !isNegative(source) : isNegated(clause) && !isNegative(sentence))
        turned.push({ kind: "negation", text: clause.trim() });
      if (isOpen(clause) && !isOpen(sentence)) turned.push({ kind: "wish", text: clause.trim() });
      const another = OF_ANOTHER.exec(source);
      if (
        another &&
        !SPEAKER.test(source) &&
        !fold(sentence).includes(fold(another[1] as string)) &&
        !this.#namesAnyOf(source, sentence)
      )
        turned.push({ kind: "name", text: another[0] });
    }
    return turned;
  }

  #namesAnyOf(source: string, sentence: string): boolean {
    const folded = fold(sentence);
    return namesIn(source).some(({ text, opens }) => !opens && folded.includes(nameKey(text)));
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Whether a text holds an identifier to the letter, and not as a part of a longer one: 42 is not 0042. */
function holdsWhole(text: string, identifier: string): boolean {
  const isInside = (at: number): boolean => /[\p{Script=Latin}\p{N}]/u.test(text[at] ?? "");
  const [begins, ends] = [/^[\p{Script=Latin}\p{N}]/u.test(identifier), /[\p{Script=Latin}\p{N}]$/u.test(identifier)];
  for (let at = text.indexOf(identifier); at >= 0; at = text.indexOf(identifier, at + 1)) {
    if (!(begins && isInside(at - 1)) && !(ends && isInside(at + identifier.length))) return true;
  }
  return false;
}

/** Whether a date is the one that was said, or a longer time around it; of "two weeks ago" any day near is meant. */
function derives(window: TimeWindow, said: TimeMention): boolean {
  if (window.from <= said.window.from && window.to >= said.window.to) return true;
  const inside = window.from >= said.window.from && window.to <= said.window.to;
  return inside && said.relative && VAGUE_TIME.test(said.text) && said.window.to - said.window.from <= WEEK_MS;
}

/** The text that shares most terms with a sentence, the first of equals; undefined when none shares any. */
function closest(sentence: string, texts: readonly string[]): string | undefined {
  const terms = new Set(termsOf(sentence));
  let best: { readonly text: string; readonly shared: number } | undefined;
  for (const text of texts) {
    const shared = new Set(termsOf(text).filter((term) => terms.has(term))).size;
    if (shared > (best?.shared ?? 0)) best = { text, shared };
  }
  return best?.text;
}
