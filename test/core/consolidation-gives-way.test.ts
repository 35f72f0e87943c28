import { afterEach, expect, it } from "vitest";
import { Rig } from "../faults/rig.js";
import { letterEmbedder } from "../memory/letters.js";

let rig: Rig | undefined;
afterEach(() => rig?.close());

/** A memory of five turns, with a recall that runs until it is released, by a stopwatch that stands. */
async function recalling() {
  let [ms, isHeld, release] = [0, false, (): void => undefined];
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const embedder = {
    ...letterEmbedder,
    embed: async (texts: readonly string[]) => {
      if (isHeld) await held;
      return letterEmbedder.embed(texts);
    },
  };
  rig = new Rig({ embedder, stopwatch: { now: () => ms } });
  const { memory } = await rig.open();
  for (const thing of ["anvil", "barrel", "candle", "drum", "easel"])
    await memory.record({ user: `I bought a ${thing} last week.` });
  isHeld = true;
  const recall = memory.recall("What did I buy?");
  const end = async (): Promise<void> => {
    release();
    await recall;
    ms = 31;
  };
  return { memory, end };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 200));

it("makes no batch while a recall is at work, and goes on when it is some time past", async () => {
  const { memory, end } = await recalling();
  const made = memory.consolidate();
  expect(await Promise.race([made, soon()])).toBeUndefined();
  await end();
  expect((await made).batches).toBe(1);
});

it("ends at once when it is aborted while it waits, and leaves what it waited with to the next", async () => {
  const { memory, end } = await recalling();
  const asking = new AbortController();
  const reason = new Error("no time");
  const made = memory.consolidate({ signal: asking.signal });
  await soon();
  asking.abort(reason);
  await expect(made).rejects.toBe(reason);
  await end();
  expect(await memory.consolidate()).toMatchObject({ batches: 1, entries: 5, left: 0 });
});
