import { type Memory, openMemory } from "keepsake/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SAMPLE_QUESTIONS, SAMPLE_SESSIONS } from "../../demo/sample.js";
import { isSampleText, loadSample, sampleTurns } from "../../demo/sample-turns.js";

const said = SAMPLE_SESSIONS.flatMap(({ exchanges }) => exchanges.map(([user]) => user));

describe("the sample", () => {
  it("spans months, session by session in order", () => {
    const starts = SAMPLE_SESSIONS.map(({ startsAt }) => Date.parse(startsAt));
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
    expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeGreaterThan(90 * 86_400_000);
    expect(sampleTurns().length).toBeGreaterThanOrEqual(45);
  });

  it("holds the fact behind each question in exactly one thing that the user said", () => {
    for (const { question, expects } of SAMPLE_QUESTIONS)
      expect(
        said.filter((text) => text.includes(expects)),
        question,
      ).toHaveLength(1);
  });

  it("knows its own texts", () => {
    expect(said.every(isSampleText)).toBe(true);
    expect(isSampleText("I was never said")).toBe(false);
  });
});

describe("the sample in Node", () => {
  let loaded: Memory;

  beforeAll(async () => {
    loaded = await openMemory({ name: "sample", userId: "me", directory: ":memory:" });
    await loadSample(loaded.conversation("chat"));
  }, 30_000);
  afterAll(() => loaded?.close());

  it.each(SAMPLE_QUESTIONS)("brings the right memory first: $question", async ({ question, expects }) => {
    const { items } = await loaded.conversation("chat").recall(question, { touch: false });
    expect(items[0]?.sources.map(({ quote }) => quote).join(" ")).toContain(expects);
  });

  it.each([
    ["I moved house yesterday", "2025-04-26"],
    ["I finished the half marathon on Sunday", "2025-05-11"],
    ["The wedding is on the 14th of June", "2025-06-14"],
    ["the wedding is now on the 28th of June", "2025-06-28"],
    ["On Tuesday I have to be at Klarpuls", "2025-07-01"],
  ])("dates %j on %s", async (words, date) => {
    for await (const { sources, eventTime } of loaded.entries()) {
      if (!sources.some(({ quote }) => quote.includes(words))) continue;
      expect(eventTime?.from).toBe(new Date(`${date}T00:00`).getTime());
      return;
    }
    expect.unreachable("no memory of that");
  });

  it("records it once when it is loaded twice", async () => {
    await using memory = await openMemory({ name: "sample", userId: "me", directory: ":memory:" });
    const conversation = memory.conversation("chat");
    await loadSample(conversation);
    const once = await memory.stats();
    await loadSample(conversation);
    expect(await memory.stats()).toEqual(once);
  });

  it("keeps what was loaded before it was stopped, and goes on from there", async () => {
    await using memory = await openMemory({ name: "sample", userId: "me", directory: ":memory:" });
    const conversation = memory.conversation("chat");
    const stop = new AbortController();
    const stopped = loadSample(conversation, { signal: stop.signal, onProgress: (done) => done === 3 && stop.abort() });
    await expect(stopped).rejects.toMatchObject({ name: "AbortError" });
    expect((await memory.stats()).turns).toBe(6);
    await loadSample(conversation);
    expect((await memory.stats()).turns).toBe(2 * sampleTurns().length);
  });
});
