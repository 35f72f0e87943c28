import { afterEach, describe, expect, it, vi } from "vitest";
import type { SlmEngine } from "../../src/ports.js";
import { promptApi } from "../../src/slm/engines/prompt-api.js";
import { engineContract } from "./contract.js";
import { type StandIn, type StandInOptions, standIn } from "./language-model.js";

const ASKED = [
  { role: "system", content: "You repeat the last word." },
  { role: "user", content: "I drink tea" },
] as const;

afterEach(() => vi.unstubAllGlobals());

function offered(options: StandInOptions = {}): StandIn {
  const stand = standIn(options);
  vi.stubGlobal("LanguageModel", stand.model);
  return stand;
}

async function opened(options: StandInOptions = {}, timeoutMs?: number): Promise<{ engine: SlmEngine; stand: StandIn }> {
  const stand = offered(options);
  return { engine: await promptApi(timeoutMs === undefined ? {} : { timeoutMs }).open(), stand };
}

/** Counts without the answer that measures the speed. */
const fromSecond =
  (fault: NonNullable<StandInOptions["fault"]>): NonNullable<StandInOptions["fault"]> =>
  (answer) =>
    answer === 0 ? undefined : fault(answer - 1);

/** Goes on for ever about what it was asked. */
const talkative = (input: string): readonly string[] =>
  Array.from({ length: 500 }, (_, at) => `${(input.length * 7 + at * at) % 1_000} `);

engineContract(
  "the browser's own model",
  () => {
    offered({ say: talkative, form: '{"color":"blue","count":1}' });
    return promptApi().open();
  },
  { speaks: false },
);

describe("the browser's own model", () => {
  it("tells what it can, answers, and gives its sessions back", async () => {
    const { engine, stand } = await opened();
    expect(engine.id).toMatch(/^prompt-api\//);
    expect(engine.score).toBeUndefined();
    expect(engine.capabilities).toMatchObject({ schema: true, grammar: false, scores: false, contextTokens: 1_000 });
    expect(engine.capabilities.tokensPerSecond!.completion).toBeGreaterThan(0);
    const told: string[] = [];
    const answer = await engine.complete(ASKED, { onToken: (piece) => told.push(piece) });
    expect(answer).toMatchObject({ text: "tea", finish: "stop", completionTokens: 3 });
    expect(told).toEqual(["t", "e", "a"]);
    expect(stand.open).toBe(1);
    await engine.close();
    expect(stand.open).toBe(0);
    await expect(engine.complete(ASKED)).rejects.toMatchObject({ code: "closed" });
  });

  it("hands a schema over and keeps its text out of the context", async () => {
    const { engine, stand } = await opened();
    const schema = { type: "object", properties: { answer: { type: "string" } } };
    expect((await engine.complete(ASKED, { schema })).text).toBe('{"answer": "tea"}');
    expect(stand.asked.at(-1)!.options).toMatchObject({ responseConstraint: schema, omitResponseConstraintInput: true });
    await engine.close();
  });

  it("ends at the first stop and at the number of tokens that was asked for", async () => {
    const { engine } = await opened({ say: () => ["one ", "two ", "th", "ree ", "four"] });
    const told: string[] = [];
    const stopped = await engine.complete(ASKED, { stop: ["three", "zzz"], onToken: (piece) => told.push(piece) });
    expect([stopped.text, stopped.finish, told.join("")]).toEqual(["one two ", "stop", "one two "]);
    expect(await engine.complete(ASKED, { maxTokens: 2 })).toMatchObject({ text: "one two ", finish: "length" });
    await engine.close();
  });

  it("works with the names that the surface had before", async () => {
    const { engine } = await opened({ oldNames: true, contextWindow: 50 });
    expect(engine.capabilities.contextTokens).toBe(50);
    expect((await engine.complete(ASKED)).text).toBe("tea");
    await engine.close();
  });

  it("says that a prompt is longer than the context before the browser forgets its beginning", async () => {
    const { engine } = await opened({ contextWindow: 20 });
    const long = [{ role: "user", content: "word ".repeat(30) }] as const;
    await expect(engine.complete(long)).rejects.toMatchObject({ code: "too-large" });
    expect((await engine.complete(ASKED)).text).toBe("tea");
    await engine.close();
  });

  it("rejects with the caller's own reason in the middle of an answer and goes on with the next", async () => {
    const { engine, stand } = await opened();
    const reason = new Error("the person typed on");
    const controller = new AbortController();
    const call = engine.complete(ASKED, { signal: controller.signal, onToken: () => controller.abort(reason) });
    await expect(call).rejects.toBe(reason);
    expect((await engine.complete(ASKED)).text).toBe("tea");
    expect(stand.open).toBe(1);
    await engine.close();
  });

  it("answers two calls at once one after another", async () => {
    const { engine } = await opened();
    const other = [{ role: "user", content: "I drink coffee" }] as const;
    const answers = await Promise.all([engine.complete(ASKED), engine.complete(other)]);
    expect(answers.map(({ text }) => text)).toEqual(["tea", "coffee"]);
    await engine.close();
  });

  it("tries once more when an answer hangs, and tells no piece twice", async () => {
    const { engine, stand } = await opened({ fault: fromSecond((answer) => (answer === 0 ? "hang" : undefined)) }, 200);
    const told: string[] = [];
    expect((await engine.complete(ASKED, { onToken: (piece) => told.push(piece) })).text).toBe("tea");
    expect(told.join("")).toBe("tea");
    expect(stand.open).toBe(1);
    await engine.close();
  });

  it("says so when it hangs again", async () => {
    const { engine } = await opened({ fault: fromSecond(() => "hang") }, 100);
    await expect(engine.complete(ASKED)).rejects.toMatchObject({ code: "timeout" });
    await engine.close();
  });

  it("tries once more when the browser's process for it died", async () => {
    const died = new DOMException("the model process crashed", "UnknownError");
    const { engine } = await opened({ fault: fromSecond((answer) => (answer === 0 ? died : undefined)) });
    expect((await engine.complete(ASKED)).text).toBe("tea");
    await engine.close();
  });

  it("says that it failed where the browser keeps its answer back", async () => {
    const { engine } = await opened({ fault: fromSecond(() => new DOMException("filtered", "NotReadableError")) });
    await expect(engine.complete(ASKED)).rejects.toMatchObject({ code: "model-failed" });
    await engine.close();
  });
});

describe("a browser without its own model", () => {
  it("says that there is none", async () => {
    await expect(promptApi().open()).rejects.toMatchObject({ code: "unsupported" });
    offered({ availability: "unavailable" });
    await expect(promptApi({ languages: ["eo"] }).open()).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringContaining("eo"),
    });
  });

  it("says that a click is needed before it fetches its model", async () => {
    offered({ availability: "downloadable", createFault: new DOMException("needs a gesture", "NotAllowedError") });
    await expect(promptApi().open()).rejects.toMatchObject({
      code: "asset-unavailable",
      message: expect.stringContaining("click"),
    });
  });

  it("tells the progress of the download, and ends it when it is aborted", async () => {
    offered({ availability: "downloadable" });
    const seen: number[] = [];
    const engine = await promptApi().open({ onProgress: ({ done }) => seen.push(done) });
    expect(seen).toEqual([0, 50, 100]);
    await engine.close();
    const reason = new Error("left the page");
    await expect(promptApi().open({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it("refuses options that mean nothing", () => {
    expect(() => promptApi({ timeoutMs: 0 })).toThrow(RangeError);
    expect(() => promptApi({ languages: [] })).toThrow(RangeError);
  });
});
