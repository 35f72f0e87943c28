/** Consolidation is leased to one tab, and passes on with the tab that held it. */

import { afterEach, describe, expect, it } from "vitest";
import { type Consolidator, type Memory, openMemory } from "../../src/index.js";
import type { Store } from "../../src/ports.js";
import { indexedDbStores } from "../../src/store/indexeddb.js";
import type { UserId } from "../../src/types.js";
import { checkStore } from "../faults/invariants.js";
import { isTaught, scriptedConsolidator } from "../faults/kill/scripted-consolidator.js";
import { Ledger } from "../faults/ledger.js";
import { freshName } from "../store/harness.js";

/** More than one batch of them. */
const MEMORIES = 30;
/** Long after a lease that was free would have been had. */
const WAITS_MS = 400;

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

interface Tab {
  readonly memory: Memory;
  /** Texts that its engine was sent. */
  readonly sent: string[];
  readonly consolidator: Consolidator;
}

async function openTab(name: string): Promise<Tab> {
  const memory = await openMemory({ name, userId: "me", timeZone: "UTC" });
  opened.push(memory);
  const sent: string[] = [];
  const scripted = scriptedConsolidator(() => 1);
  const consolidator: Consolidator = {
    ...scripted,
    consolidate: (batch, call) => {
      sent.push(...batch.fragments.map(({ text }) => text));
      return scripted.consolidate(batch, call);
    },
  };
  return { memory, sent, consolidator };
}

async function filled(): Promise<{ readonly name: string; readonly store: Store; readonly tab: Tab }> {
  const name = freshName();
  const tab = await openTab(name);
  const places = ["attic", "cellar", "shed"];
  for (let number = 0; number < MEMORIES; number++)
    await tab.memory.record({ user: `I keep the violin number ${number} in the ${places[number % 3]} behind box ${number}.` });
  const store = await indexedDbStores().open(name, "me" as UserId);
  opened.push(store);
  return { name, store, tab };
}

/** Each memory was brought into the graph by one batch, and the graph is sound. */
async function expectEachOnce({ memory }: Tab, store: Store): Promise<void> {
  expect(await checkStore(store, new Ledger(), { isTaught })).toEqual([]);
  const entries = await store.listEntries();
  expect(entries).toHaveLength(MEMORIES);
  expect(entries.filter(({ consolidatedByEngineAt }) => consolidatedByEngineAt === undefined)).toEqual([]);
  const jobs = (await memory.knowledge.jobs()).filter(({ consolidator }) => consolidator === "scripted");
  expect(jobs.map(({ state }) => state)).toEqual(jobs.map(() => "committed"));
  expect(jobs.flatMap(({ entryIds }) => entryIds).sort()).toEqual(entries.map(({ id }) => id).sort());
}

function hangingWorker(name: string): () => void {
  const worker = new Worker(new URL("./hanging-tab.ts", import.meta.url), { type: "module", name });
  return () => worker.terminate();
}

function hangingFrame(name: string): () => void {
  const frame = document.createElement("iframe");
  frame.name = name;
  // The module loader of the tests, which only their own page has.
  const loader = "globalThis.__vitest_browser_runner__ = { wrapDynamicImport: (load) => load() };";
  frame.srcdoc = `<script>${loader}</script><script type="module" src="${new URL("./hanging-tab.ts", import.meta.url)}"></script>`;
  document.body.append(frame);
  return () => frame.remove();
}

describe("the lease of consolidation", () => {
  it.each([
    ["a worker", hangingWorker],
    ["a tab", hangingFrame],
  ])("passes on when %s ends that waits for its engine, and every memory is consolidated once", async (_, hang) => {
    const { name, store, tab } = await filled();
    const channel = new BroadcastChannel(`hanging ${name}`);
    const asked = new Promise<readonly string[]>((resolve) => {
      channel.addEventListener("message", ({ data }) => resolve(data));
    });
    const end = hang(name);
    const held = await asked;
    expect(held.length).toBeGreaterThan(0);
    channel.close();
    expect((await tab.memory.knowledge.jobs()).map(({ state }) => state)).toEqual(["sent"]);

    const beside = tab.memory.consolidate({ consolidator: tab.consolidator, optedIn: true });
    await new Promise((resolve) => setTimeout(resolve, WAITS_MS));
    // It may go on with others meanwhile, or wait.
    expect(tab.sent.filter((text) => held.includes(text))).toEqual([]);
    end();
    let { entries, left } = await beside;
    while (left > 0) {
      const next = await tab.memory.consolidate({ consolidator: tab.consolidator, optedIn: true });
      [entries, left] = [entries + next.entries, next.left];
    }
    expect(entries).toBe(MEMORIES);
    expect(new Set(tab.sent).size).toBe(MEMORIES);
    expect(tab.sent).toHaveLength(MEMORIES);
    await expectEachOnce(tab, store);
  });

  it("is held by one of two tabs that consolidate at once, by themselves and with an engine", async () => {
    const { name, store, tab } = await filled();
    const tabs = [tab, await openTab(name)];
    const byEngine = tabs.map(
      ({ memory, consolidator }) =>
        () =>
          memory.consolidate({ consolidator, optedIn: true }),
    );
    const byDevice = tabs.map(
      ({ memory }) =>
        () =>
          memory.consolidate(),
    );
    const done = await Promise.all([...byEngine, ...byDevice].map(async (run) => (await run()).entries));
    expect(done.slice(0, tabs.length).reduce((sum, entries) => sum + entries)).toBe(MEMORIES);
    // What an engine has learned of the device need not learn of.
    expect(done.slice(tabs.length).reduce((sum, entries) => sum + entries)).toBeLessThanOrEqual(MEMORIES);
    expect(tabs.flatMap(({ sent }) => sent)).toHaveLength(MEMORIES);
    await expectEachOnce(tab, store);
    expect((await store.listEntries()).filter(({ consolidatedAt }) => consolidatedAt === undefined)).toEqual([]);
  });
});
