/** The entries of one user in slots, with the columns that filters and scores read; numbers are computed once, when an entry is put. */

import type { Mask } from "../ports.js";
import { fold } from "../text/terms.js";
import type { Entry, EntryFilter, EntryId, Timestamp } from "../types.js";

/** What a recall may see; every condition given must hold. */
export interface SlotFilter extends EntryFilter {
  /** Only what was recorded by then. */
  readonly recordedBy?: Timestamp;
}

/** Words at which the length prior is full: ln 41 is its scale. */
const LENGTH_SCALE = Math.log(41);
const QUESTION_END = /[?？؟]["'”’»)\]]*\s*$/;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

/** Words of a text; scripts without spaces count two characters as a word. */
export function countWords(text: string): number {
  const unspaced = text.match(UNSPACED)?.length ?? 0;
  const spaced = text.match(/\S+/g)?.length ?? 0;
  return spaced + Math.floor(unspaced / 2);
}

/** Gives equal names, whatever their case and accents, one small number. */
class Names {
  readonly #ids = new Map<string, number>();

  add(name: string): number {
    const key = fold(name).trim();
    let id = this.#ids.get(key);
    if (id === undefined) this.#ids.set(key, (id = this.#ids.size));
    return id;
  }

  /** -1 for a name that was never added. */
  find(name: string): number {
    return this.#ids.get(fold(name).trim()) ?? -1;
  }
}

/** Whose words an entry is: the speaker's name where it has one, else the role. */
export function speakerOf(entry: Entry): string {
  const source = entry.sources[0];
  return source?.speaker ?? source?.role ?? entry.subject;
}

export class EntryTable {
  readonly #entries: (Entry | undefined)[] = [];
  readonly #slots = new Map<EntryId, number>();
  readonly #free: number[] = [];
  readonly #names = new Names();
  readonly #sessions = new Names();
  /** Named speakers, as they are spelt, with the number of their entries. */
  readonly #speakers = new Map<string, number>();
  /** 1 where a slot holds an entry. */
  #live = new Uint8Array(256);
  /** Session of each slot, as a small number. */
  session = new Int32Array(256);
  speaker = new Int32Array(256);
  subject = new Int32Array(256);
  /** 1 for the assistant's words. */
  assistant = new Uint8Array(256);
  /** 1 where the text ends as a question. */
  question = new Uint8Array(256);
  saidAt = new Float64Array(256);
  /** min(1, ln(1 + words) / ln 41), and half of full for the assistant's words whatever their length: they are long by habit. */
  lengthPrior = new Float32Array(256);

  /** Entries held. */
  get size(): number {
    return this.#slots.size;
  }

  /** One more than the highest slot ever used; columns and scores run to here. */
  get slotLimit(): number {
    return this.#entries.length;
  }

  /** Distinct sessions ever seen. */
  get sessionLimit(): number {
    return this.#sessionLimit;
  }

  #sessionLimit = 0;

  /** Named speakers that hold entries, without "user" and "assistant". */
  speakers(): string[] {
    return [...this.#speakers.keys()];
  }

  /** Puts an entry where one of its id was, or into a free slot.
   * @returns its slot */
  put(entry: Entry): number {
    const known = this.#slots.get(entry.id);
    if (known !== undefined) this.#forgetSpeaker(known);
    const slot = known ?? this.#free.pop() ?? this.#entries.length;
    this.#slots.set(entry.id, slot);
    this.#entries[slot] = entry;
    if (slot >= this.session.length) this.#grow();
    const source = entry.sources[0];
    this.#live[slot] = 1;
    this.session[slot] = this.#sessions.add(entry.sessionId);
    this.#sessionLimit = Math.max(this.#sessionLimit, (this.session[slot] ?? 0) + 1);
    this.speaker[slot] = this.#names.add(speakerOf(entry));
    this.subject[slot] = this.#names.add(entry.subject);
    this.assistant[slot] = source?.role === "assistant" ? 1 : 0;
    this.question[slot] = QUESTION_END.test(entry.indexText.slice(-200)) ? 1 : 0;
    this.saidAt[slot] = entry.saidAt;
    this.lengthPrior[slot] =
      this.assistant[slot] === 1 ? 0.5 : Math.min(1, Math.log(1 + countWords(entry.indexText.slice(0, 2_000))) / LENGTH_SCALE);
    if (source?.speaker !== undefined) this.#speakers.set(source.speaker, (this.#speakers.get(source.speaker) ?? 0) + 1);
    return slot;
  }

  /** @returns the slot that became free, or undefined when no entry has this id */
  remove(id: EntryId): number | undefined {
    const slot = this.#slots.get(id);
    if (slot === undefined) return undefined;
    this.#forgetSpeaker(slot);
    this.#slots.delete(id);
    this.#entries[slot] = undefined;
    this.#live[slot] = 0;
    this.#free.push(slot);
    return slot;
  }

  slotOf(id: EntryId): number | undefined {
    return this.#slots.get(id);
  }

  entry(slot: number): Entry | undefined {
    return this.#entries[slot];
  }

  /** Number of a speaker or subject, equal for equal names; -1 when no entry has it. */
  nameNumber(name: string): number {
    return this.#names.find(name);
  }

  *[Symbol.iterator](): IterableIterator<Entry> {
    for (const entry of this.#entries) if (entry) yield entry;
  }

  /** Which slots a search may return: those that hold an entry for which every condition holds. */
  mask(filter: SlotFilter = {}): Mask {
    const conditions = Object.values(filter).filter((condition) => condition !== undefined).length;
    if (conditions === 0) return this.#live.slice(0, this.slotLimit);
    const mask = new Uint8Array(this.slotLimit);
    for (let slot = 0; slot < mask.length; slot++) {
      const entry = this.#entries[slot];
      if (entry && admits(filter, entry)) mask[slot] = 1;
    }
    return mask;
  }

  clear(): void {
    this.#entries.length = 0;
    this.#live.fill(0);
    this.#free.length = 0;
    this.#slots.clear();
    this.#speakers.clear();
  }

  #forgetSpeaker(slot: number): void {
    const name = this.#entries[slot]?.sources[0]?.speaker;
    if (name === undefined) return;
    const left = (this.#speakers.get(name) ?? 0) - 1;
    if (left > 0) this.#speakers.set(name, left);
    else this.#speakers.delete(name);
  }

  #grow(): void {
    const length = this.session.length * 2;
    const larger = <T extends { set(array: T): void }>(column: T, next: T): T => {
      next.set(column);
      return next;
    };
    this.#live = larger(this.#live, new Uint8Array(length));
    this.session = larger(this.session, new Int32Array(length));
    this.speaker = larger(this.speaker, new Int32Array(length));
    this.subject = larger(this.subject, new Int32Array(length));
    this.assistant = larger(this.assistant, new Uint8Array(length));
    this.question = larger(this.question, new Uint8Array(length));
    this.saidAt = larger(this.saidAt, new Float64Array(length));
    this.lengthPrior = larger(this.lengthPrior, new Float32Array(length));
  }
}

/** Whether every condition of the filter holds for the entry. */
export function admits(filter: SlotFilter, entry: Entry): boolean {
  if (filter.recordedBy !== undefined && entry.createdAt > filter.recordedBy) return false;
  if (filter.kinds && !filter.kinds.includes(entry.kind)) return false;
  if (filter.conversationId !== undefined && entry.conversationId !== filter.conversationId) return false;
  if (filter.said?.from !== undefined && entry.saidAt < filter.said.from) return false;
  if (filter.said?.to !== undefined && entry.saidAt >= filter.said.to) return false;
  if (
    filter.validAt !== undefined &&
    !(entry.validFrom <= filter.validAt && filter.validAt < (entry.validTo ?? Number.POSITIVE_INFINITY))
  )
    return false;
  if (filter.pinned !== undefined && (entry.pinned ?? false) !== filter.pinned) return false;
  if (filter.subject !== undefined && fold(entry.subject) !== fold(filter.subject)) return false;
  if (filter.text !== undefined) {
    const text = fold(entry.text);
    if (
      !fold(filter.text)
        .split(/\s+/)
        .every((word) => text.includes(word))
    )
      return false;
  }
  return true;
}
