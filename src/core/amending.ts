/** Finds what a correction or a withdrawal means: sentences that were said before it and still hold. */

import { numberMentions } from "../text/numbers.js";
import { fold, termsOf } from "../text/terms.js";
import type { EntryId, Timestamp } from "../types.js";
import type { Amendment } from "../write/corrections.js";
import { dot } from "../write/same.js";
import { isGuess, isNegated, isWish } from "../write/signals.js";
import { differs, sameValues, valueKeys } from "../write/value-pairs.js";
import { GENERAL } from "../write/values.js";
import type { MemoryIndex } from "./memory-index.js";
import type { NewEntry, Relative, Relatives, Unit } from "./relatives.js";

/** How rare the words must be that two sentences share beside the value, as a sum of inverse document frequencies. */
const SHARED_SUBJECT = 3;
/** A slip is put right soon: of the same speaker's turns before in the session, so many are looked at. */
const RECENT_TURNS = 3;
const RECENT_GUESSES = 8;
/** Content words, beside the value, up to which a correction leaves its subject to the sentence before. */
const ELLIPTIC = 1;
/** Cosine from which a longer correction speaks of what the older sentence does. */
const ONE_SUBJECT = 0.5;
/** Words that only say that something was a slip. */
const SLIP = new Set([
  "no",
  "not",
  "meant",
  "mean",
  "sorri",
  "wrong",
  "correct",
  "actual",
  "mistak",
  "wait",
  "oop",
  "nein",
  "falsch",
  "equivoqu",
  "quis",
  "decir",
]);
/** Sentences so near to a corrected one, with its value, are copies of it. */
const COPY_COSINE = 0.75;
/** Of the words of what is withdrawn, so many stand in a sentence that says it. */
const NAMED = 0.8;
const MAX_TARGETS = 20;

export interface DecisionParts {
  readonly index: MemoryIndex;
  readonly relatives: Relatives;
  readonly newId: () => EntryId;
  readonly now: Timestamp;
  /** IANA name. */
  readonly timeZone: string;
}

/** A sentence of an entry that takes back something. */
export interface Amending {
  readonly sentence: string;
  readonly amendment: Amendment;
  /** Sentences of its turn before it. */
  readonly earlier: readonly string[];
}

export interface Target {
  readonly id: EntryId;
  /** What of the entry is over. */
  readonly sentences: readonly string[];
}

export interface AmendingSetting extends DecisionParts {
  readonly current: (id: EntryId) => NewEntry | undefined;
  /** Entries of the record that is being decided. */
  readonly added: readonly NewEntry[];
}

interface Said {
  readonly id: EntryId;
  readonly unit: Unit;
}

/** What a sentence of an entry takes back: sentences of the same speaker that were said before it and still hold. */
export async function targetsOf(
  amending: Amending,
  entry: NewEntry,
  units: readonly Unit[],
  setting: AmendingSetting,
): Promise<Target[]> {
  const { sentence, amendment } = amending;
  const own = units.filter(({ text }) => amending.earlier.includes(text));
  const turns = recentTurns(entry, setting);
  const recent = [own.map((unit) => ({ id: entry.id, unit })), ...turns];
  const said = { sentence, terms: termsOf(sentence) };
  const vector = units.find(({ text }) => text === sentence)?.vector;
  if (amendment.kind === "withdrawal") {
    if (amendment.about !== undefined) return grouped(await named(amendment.about, entry, setting));
    if (amendment.guess) {
      const guesses = recent
        .slice(0, RECENT_GUESSES + 1)
        .flat()
        .filter(({ unit }) => isGuess(unit.text));
      return grouped(await withCopies(guesses.slice(-1).length > 0 ? [nearest(guesses, said.terms)] : [], entry, setting));
    }
    const last = (own.length > 0 ? recent[0] : turns[0])?.at(-1);
    return grouped(last ? [last] : []);
  }
  if (amendment.wrong !== undefined) {
    const found = await wrong(
      amendment.wrong,
      amendment.explicit,
      said,
      entry,
      recent.slice(0, RECENT_TURNS + 1).flat(),
      vector,
      setting,
    );
    if (found.length > 0) return grouped(found);
    if (!amendment.explicit) return [];
  }
  const reach = amendment.explicit ? RECENT_TURNS : 1;
  for (const turn of recent.slice(0, reach + 1)) {
    const candidates = turn.filter(
      ({ unit }) => unit.text !== sentence && differs(unit.text, sentence) && isOneSubject(unit, said, vector),
    );
    if (candidates.length > 0) return grouped(await withCopies([nearest(candidates, said.terms)], entry, setting));
  }
  return [];
}

/** Whether a slip is put right in so few words that it has no subject of its own, or in words of the older sentence. */
function isOneSubject(
  older: Unit,
  { sentence, terms }: { readonly sentence: string; readonly terms: readonly string[] },
  vector: Float32Array | undefined,
): boolean {
  const values = new Set(Object.values(valueKeys(sentence)).flat().map(fold));
  const own = [...new Set(terms)].filter((term) => !GENERAL.has(term) && !values.has(term) && !SLIP.has(term));
  if (own.length <= ELLIPTIC) return true;
  const shared = own.filter((term) => older.terms.includes(term)).length;
  if (shared === 0) return false;
  return (
    shared >= own.length / 2 || (older.vector !== undefined && vector !== undefined && dot(older.vector, vector) >= ONE_SUBJECT)
  );
}

/** The sentences of the same speaker's turns before, the last turn first. */
function recentTurns(entry: NewEntry, setting: AmendingSetting): Said[][] {
  const { index, added, relatives, current } = setting;
  const source = entry.sources[0];
  const isBefore = ({ id, sessionId, conversationId, sources: [first], saidAt }: NewEntry): boolean =>
    id !== entry.id &&
    sessionId === entry.sessionId &&
    conversationId === entry.conversationId &&
    first?.role === source?.role &&
    first?.speaker === source?.speaker &&
    saidAt <= entry.saidAt;
  const before = [...[...index.table].filter(isBefore), ...added.filter(isBefore)]
    .sort((a, b) => b.saidAt - a.saidAt || (a.id < b.id ? 1 : -1))
    .slice(0, RECENT_GUESSES);
  return before.map(({ id }) => {
    const now = current(id);
    if (!now || now.validTo !== undefined) return [];
    return relatives.unitsOf(now, rowsOf(id, setting)).map((unit) => ({ id, unit }));
  });
}

function rowsOf(id: EntryId, { index }: AmendingSetting): Float32Array | undefined {
  const slot = index.table.slotOf(id);
  return slot === undefined ? undefined : index.vector.rowsOf?.(slot);
}

/** Live sentences of the same speaker, said before. */
function speakers(found: readonly Relative[], entry: NewEntry, { current }: AmendingSetting): Said[] {
  const source = entry.sources[0];
  return found.flatMap(({ id, units }) => {
    const other = current(id);
    const first = other?.sources[0];
    if (!other || id === entry.id || other.validTo !== undefined || other.saidAt > entry.saidAt) return [];
    if (first?.role !== source?.role || first?.speaker !== source?.speaker) return [];
    return units.map((unit) => ({ id, unit }));
  });
}

/** Sentences that state the value that is wrong, of the same subject. */
async function wrong(
  value: string,
  explicit: boolean,
  { sentence, terms }: { readonly sentence: string; readonly terms: readonly string[] },
  entry: NewEntry,
  recent: readonly Said[],
  vector: Float32Array | undefined,
  setting: AmendingSetting,
): Promise<Said[]> {
  const valueTerms = new Set(termsOf(value));
  if (valueTerms.size === 0) return [];
  const near = new Set(recent.map(({ unit }) => unit));
  const query = { text: sentence, saidAt: entry.saidAt, terms: [...new Set([...terms, ...valueTerms])] };
  const stored = speakers(await setting.relatives.of([query]), entry, setting);
  const subject = new Set(terms.filter((term) => !valueTerms.has(term) && !GENERAL.has(term)));
  return distinct([...recent, ...stored]).filter(({ unit }) => {
    if (unit.text === sentence || !states(unit, value, valueTerms) || isNegated(unit.text)) return false;
    // A wish for something else corrects no fact.
    if (isWish(sentence) && !isWish(unit.text)) return false;
    if (explicit && near.has(unit) && isOneSubject(unit, { sentence, terms }, vector)) return true;
    const others = [...new Set(unit.terms)].filter((term) => !valueTerms.has(term) && !GENERAL.has(term));
    if (others.length === 0) return true;
    const shared = others.filter((term) => subject.has(term));
    // In a small memory no word is rare; there it counts how much of the sentence is shared.
    return (
      shared.reduce((sum, term) => sum + setting.relatives.idf(term), 0) >= SHARED_SUBJECT || shared.length >= others.length / 2
    );
  });
}

function states({ text, terms }: Unit, value: string, valueTerms: ReadonlySet<string>): boolean {
  const numbers = numberMentions(value);
  const own = numberMentions(text).flatMap(({ values }) => values);
  if (numbers.length > 0) return numbers.every(({ values }) => values.some((one) => own.includes(one)));
  return [...valueTerms].every((term) => terms.includes(term)) || fold(text).includes(fold(value));
}

/** Sentences that say what is withdrawn by name. */
async function named(about: string, entry: NewEntry, setting: AmendingSetting): Promise<Said[]> {
  const terms = [...new Set(termsOf(about))];
  if (terms.length === 0) return [];
  const found = speakers(await setting.relatives.of([{ text: about, saidAt: entry.saidAt, terms }]), entry, setting);
  return found.filter(({ unit }) => terms.filter((term) => unit.terms.includes(term)).length >= NAMED * terms.length);
}

/** With the sentences that say the same elsewhere: a correction that retires one copy leaves its paraphrases. */
async function withCopies(said: readonly Said[], entry: NewEntry, setting: AmendingSetting): Promise<Said[]> {
  const all = [...said];
  for (const { unit } of said) {
    const found = speakers(await setting.relatives.of([unit]), entry, setting);
    for (const other of found)
      if (
        unit.vector &&
        other.unit.vector &&
        dot(unit.vector, other.unit.vector) >= COPY_COSINE &&
        isGuess(unit.text) === isGuess(other.unit.text) &&
        sameValues(unit.text, other.unit.text)
      )
        all.push(other);
  }
  return distinct(all);
}

/** The sentence that shares most with what is said now, the last of equals. */
function nearest(said: readonly Said[], terms: readonly string[]): Said {
  const wanted = new Set(terms);
  const shares = ({ unit }: Said): number => unit.terms.filter((term) => wanted.has(term)).length;
  return said.reduce((best, one) => (shares(one) >= shares(best) ? one : best));
}

function distinct(said: readonly Said[]): Said[] {
  const seen = new Set<string>();
  return said.filter(({ id, unit }) => {
    const key = `${id}\n${unit.text}`;
    return !seen.has(key) && seen.add(key);
  });
}

function grouped(said: readonly Said[]): Target[] {
  const targets = new Map<EntryId, string[]>();
  for (const { id, unit } of said.slice(0, MAX_TARGETS)) targets.set(id, [...(targets.get(id) ?? []), unit.text]);
  return [...targets].map(([id, sentences]) => ({ id, sentences }));
}
