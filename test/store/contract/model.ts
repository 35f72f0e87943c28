/** Contract: after any run of writes a store holds what a plain in-memory model holds. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isMemoryError } from "../../../src/errors.js";
import type { Store, StoreWrite } from "../../../src/ports.js";
import { freshName, type StoreHarness } from "../harness.js";
import { vectorsByEntry } from "../reading.js";
import { entry, entryId, rows, SPACE, turn, turnId, userId } from "../samples.js";

const ENTRY_IDS = ["a", "b", "c", "d", "e", "f"];
const TURN_IDS = ["t", "u", "v", "w"];

interface Step {
  readonly put: readonly string[];
  readonly remove: readonly string[];
  /** Entry id to row count; up to 300, so that segments are sealed in the course of a run. */
  readonly vectors: ReadonlyMap<string, number>;
  readonly turns: readonly string[];
  readonly removeTurns: readonly string[];
  readonly expected: readonly (readonly [string, number])[];
  readonly value: number;
  readonly reopen: boolean;
}

const steps = fc.array(
  fc.record({
    put: fc.subarray(ENTRY_IDS),
    remove: fc.subarray(ENTRY_IDS, { maxLength: 2 }),
    vectors: fc
      .uniqueArray(
        fc.tuple(fc.constantFrom(...ENTRY_IDS), fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 60, max: 300 }))),
        { selector: ([id]) => id, maxLength: 4 },
      )
      .map((pairs) => new Map(pairs)),
    turns: fc.subarray(TURN_IDS),
    removeTurns: fc.subarray(TURN_IDS, { maxLength: 1 }),
    expected: fc.oneof(
      { weight: 4, arbitrary: fc.constant([]) },
      fc.array(fc.tuple(fc.constantFrom(...ENTRY_IDS), fc.nat(3)), { maxLength: 1 }),
    ),
    value: fc.integer({ min: 1, max: 1_000 }),
    reopen: fc.boolean(),
  }),
  { maxLength: 14 },
);

/** What the store should hold, kept in maps. */
class Model {
  readonly entries = new Map<string, { text: string; revision: number }>();
  readonly turns = new Map<string, number>();
  readonly vectors = new Map<string, number[]>();
  readonly revisions: number[] = [];
  sequence = 0;

  /** @returns the code that the write must fail with, if any */
  apply(step: Step): "conflict" | "not-found" | undefined {
    if (step.expected.some(([id, revision]) => (this.entries.get(id)?.revision ?? 0) !== revision)) return "conflict";
    const remove = removedEntries(step);
    const exists = (id: string) => step.put.includes(id) || (this.entries.has(id) && !remove.includes(id));
    if ([...step.vectors.keys()].some((id) => !exists(id))) return "not-found";
    let changed = step.put.length > 0 || step.vectors.size > 0;
    for (const id of remove) changed = this.entries.delete(id) || changed;
    for (const id of remove) this.vectors.delete(id);
    for (const id of removedTurns(step)) changed = this.turns.delete(id) || changed;
    for (const id of step.turns) {
      if (this.turns.has(id)) continue;
      this.turns.set(id, this.sequence++);
      changed = true;
    }
    for (const id of step.put) {
      const before = this.entries.get(id);
      const text = textOf(id, step);
      if (before && before.text !== text) this.vectors.delete(id);
      this.entries.set(id, { text, revision: (before?.revision ?? 0) + 1 });
    }
    for (const [id, count] of step.vectors) this.vectors.set(id, [...rows(step.value, count)]);
    if (changed) this.revisions.push(this.revisions.length + 1);
    return undefined;
  }
}

/** The same text comes again often enough: then its vectors stay. */
const textOf = (id: string, step: Step) => `${id} ${step.value % 2}`;
const removedEntries = (step: Step) => step.remove.filter((id) => !step.put.includes(id));
const removedTurns = (step: Step) => step.removeTurns.filter((id) => !step.turns.includes(id));

function toWrite(step: Step): StoreWrite {
  return {
    entries: step.put.map((id) => entry(id, textOf(id, step))),
    removeEntries: removedEntries(step).map(entryId),
    turns: step.turns.map((id) => turn(id)),
    removeTurns: removedTurns(step).map(turnId),
    vectors: {
      space: SPACE,
      of: [...step.vectors].map(([id, count]) => ({ entryId: entryId(id), rows: rows(step.value, count) })),
    },
    expect: step.expected.map(([id, revision]) => ({ entryId: entryId(id), revision })),
    durable: false,
  };
}

async function holds(store: Store, model: Model): Promise<void> {
  const entries = await store.listEntries();
  expect(entries.map(({ id, text, revision }) => [id, { text, revision }])).toEqual(
    [...model.entries].sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  const turns = await store.listTurns();
  expect(turns.map(({ id, sequence }) => [id, sequence])).toEqual([...model.turns].sort(([, one], [, other]) => one - other));
  expect(await vectorsByEntry(store, SPACE)).toEqual(model.vectors);
  const rowCount = [...model.vectors.values()].reduce((sum, flat) => sum + flat.length / SPACE.dimension, 0);
  expect(await store.vectorSpaces()).toEqual(rowCount === 0 ? [] : [{ ...SPACE, rows: rowCount }]);
  expect((await store.journal(0)).map(({ revision }) => revision)).toEqual(model.revisions);
  expect(await store.revision()).toBe(model.revisions.length);
  expect(await store.counts()).toEqual({ turns: model.turns.size, entries: model.entries.size });
}

export function describeModel({ stores }: StoreHarness): void {
  describe("after any run of writes", () => {
    it("holds the entries, turns, vectors and journal that a plain model holds", { timeout: 60_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (run) => {
          const name = freshName();
          let store = await stores().open(name, userId("me"));
          const model = new Model();
          for (const step of run) {
            const code = model.apply(step);
            const outcome = await store.write(toWrite(step)).catch((error: unknown) => error);
            if (code) expect(outcome).toMatchObject({ code });
            else if (isMemoryError(outcome)) throw outcome;
            await holds(store, model);
            if (!step.reopen) continue;
            await store.close();
            store = await stores().open(name, userId("me"));
          }
          await holds(store, model);
          await store.close();
        }),
        { numRuns: 40 },
      );
    });
  });
}
