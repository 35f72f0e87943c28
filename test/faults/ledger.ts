/** What a memory was told to do and what it acknowledged, kept outside of it: what must be there after a crash. */

/** What was said in one message, by the app's own id. */
export interface SaidTurn {
  readonly id: string;
  readonly conversationId: string;
  readonly text: string;
  /** It states something, so that an entry comes of it; a reply may leave none. */
  readonly isStatement: boolean;
}

/** Something that is done to a memory: an import step by step, all else in one transaction. */
export type Act =
  | { readonly type: "record"; readonly turns: readonly SaidTurn[] }
  /** `entries` where the file says what comes of it, as a backup does. */
  | { readonly type: "import"; readonly turns: readonly SaidTurn[]; readonly entries: readonly KnownEntry[] }
  | { readonly type: "forget"; readonly entryIds: readonly string[] }
  | { readonly type: "update"; readonly entryId: string; readonly text: string }
  /** Batch by batch, each in one transaction. */
  | { readonly type: "consolidate" };

/** What the memory said that it did. */
export type Outcome =
  | { readonly type: "record"; readonly entries: readonly KnownEntry[] }
  /** What of it is there: by default all. */
  | { readonly type: "import"; readonly turnIds?: readonly string[]; readonly entries: readonly KnownEntry[] }
  | { readonly type: "forget"; readonly entryIds: readonly string[]; readonly turnIds: readonly string[] }
  | { readonly type: "update" }
  /** What is in the long-term memory by now. */
  | { readonly type: "consolidate"; readonly entryIds: readonly string[] };

export interface KnownEntry {
  readonly id: string;
  readonly text: string;
  readonly turnIds: readonly string[];
}

/** Everything acknowledged so far, and the acts of which nobody heard whether they were done. */
export class Ledger {
  readonly turns = new Map<string, SaidTurn>();
  readonly entries = new Map<string, KnownEntry>();
  readonly forgottenEntries = new Set<string>();
  readonly forgottenTurns = new Set<string>();
  /** Entries that were brought into the long-term memory in the words that they have. */
  readonly consolidated = new Set<string>();
  /** Begun and not acknowledged, by the number that {@link begin} gave. */
  readonly open = new Map<number, Act>();
  #next = 0;

  begin(act: Act, number: number = this.#next): number {
    this.#next = Math.max(this.#next, number) + 1;
    this.open.set(number, act);
    return number;
  }

  /** The memory said that the act was done. */
  acknowledge(number: number, outcome: Outcome): void {
    const act = this.open.get(number);
    if (!act) throw new RangeError(`no act ${number} is open`);
    this.open.delete(number);
    // Ids are never used again: what another handle forgot before this was heard stays forgotten.
    const there = outcome.type === "import" && outcome.turnIds ? new Set(outcome.turnIds) : undefined;
    if (act.type === "record" || act.type === "import")
      for (const turn of act.turns)
        if (!this.forgottenTurns.has(turn.id) && (there?.has(turn.id) ?? true)) this.turns.set(turn.id, turn);
    if (outcome.type === "record" || outcome.type === "import")
      for (const entry of outcome.entries) if (!this.forgottenEntries.has(entry.id)) this.entries.set(entry.id, entry);
    if (outcome.type === "forget") this.forget(outcome.entryIds, outcome.turnIds);
    if (act.type === "update" && outcome.type === "update") this.retell(act.entryId, act.text);
    if (outcome.type === "consolidate")
      for (const id of outcome.entryIds) if (!this.forgottenEntries.has(id)) this.consolidated.add(id);
  }

  /** The memory said that the act was not done. */
  refuse(number: number): void {
    this.open.delete(number);
  }

  forget(entryIds: readonly string[], turnIds: readonly string[]): void {
    for (const id of entryIds) {
      this.entries.delete(id);
      this.consolidated.delete(id);
      this.forgottenEntries.add(id);
    }
    for (const id of turnIds) {
      this.turns.delete(id);
      this.forgottenTurns.add(id);
    }
  }

  retell(entryId: string, text: string): void {
    const entry = this.entries.get(entryId);
    if (entry) this.entries.set(entryId, { ...entry, text });
    // Other words are consolidated anew.
    this.consolidated.delete(entryId);
  }

  toPlain(): PlainLedger {
    return {
      turns: [...this.turns.values()],
      entries: [...this.entries.values()],
      forgottenEntries: [...this.forgottenEntries],
      forgottenTurns: [...this.forgottenTurns],
      consolidated: [...this.consolidated],
      open: [...this.open],
    };
  }

  static fromPlain(plain: PlainLedger): Ledger {
    const ledger = new Ledger();
    for (const turn of plain.turns) ledger.turns.set(turn.id, turn);
    for (const entry of plain.entries) ledger.entries.set(entry.id, entry);
    ledger.forget(plain.forgottenEntries, plain.forgottenTurns);
    for (const id of plain.consolidated) ledger.consolidated.add(id);
    for (const [number, act] of plain.open) ledger.begin(act, number);
    return ledger;
  }
}

/** A ledger as JSON has it. */
export interface PlainLedger {
  readonly turns: readonly SaidTurn[];
  readonly entries: readonly KnownEntry[];
  readonly forgottenEntries: readonly string[];
  readonly forgottenTurns: readonly string[];
  readonly consolidated: readonly string[];
  readonly open: readonly (readonly [number, Act])[];
}
