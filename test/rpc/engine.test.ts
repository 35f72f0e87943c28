import { afterEach, describe, expect, it } from "vitest";
import { MemoryError } from "../../src/errors.js";
import type { SlmEngine } from "../../src/ports.js";
import { remoteEngine, serveEngine } from "../../src/rpc/engine.js";
import { openEnginePort } from "../../src/rpc/engine-port.js";
import { scriptedEngine } from "../slm/scripted-engine.js";

const ASKED = [{ role: "user", content: "What tea do I drink?" }] as const;

const channels: MessageChannel[] = [];
afterEach(() => {
  for (const { port1, port2 } of channels.splice(0)) {
    port1.close();
    port2.close();
  }
});

function served(engine: SlmEngine): Promise<SlmEngine> {
  const channel = new MessageChannel();
  channels.push(channel);
  serveEngine(engine, channel.port1);
  return remoteEngine(channel.port2);
}

const answering = (complete: SlmEngine["complete"]): SlmEngine => ({ ...scriptedEngine({}), complete });

describe("an engine behind a port", () => {
  it("tells what it is, answers, and passes on what the answer is held to", async () => {
    const local = scriptedEngine({ answers: ["green"] });
    const engine = await served(local);
    expect([engine.id, engine.capabilities]).toEqual([local.id, local.capabilities]);
    expect(await engine.complete(ASKED, { maxTokens: 5, schema: { type: "object" }, stop: ["\n"] })).toEqual({
      text: "green",
      finish: "stop",
    });
    expect(local.asked[0]!.messages).toEqual(ASKED);
    expect(local.asked[0]!.options).toMatchObject({ maxTokens: 5, schema: { type: "object" }, stop: ["\n"] });
  });

  it("scores where the engine can, and has no scores where it cannot", async () => {
    const scoring = await served(scriptedEngine({ score: (prompt, text) => -prompt.length - text.length }));
    expect(await scoring.score!(ASKED, ["a", "abc"])).toEqual([
      { logProbability: -21, tokens: 1 },
      { logProbability: -23, tokens: 1 },
    ]);
    expect((await served(scriptedEngine({}))).score).toBeUndefined();
  });

  it("tells every piece in order before the answer is there", async () => {
    const told: string[] = [];
    const pieces = Array.from({ length: 50 }, (_, index) => `${index} `);
    const engine = await served(
      answering(async (_, options) => {
        for (const piece of pieces) options?.onToken?.(piece);
        return { text: pieces.join(""), finish: "length", completionTokens: 50 };
      }),
    );
    const { text } = await engine.complete(ASKED, { onToken: (piece) => told.push(piece) });
    expect([told, text]).toEqual([pieces, pieces.join("")]);
  });

  it("carries a typed error across, also where pieces are told", async () => {
    const engine = await served(
      answering(async (_, options) => {
        options?.onToken?.("half an");
        throw new MemoryError("too-large", "the prompt has 9,000 tokens, the context 4,096");
      }),
    );
    const failed = { code: "too-large", message: "the prompt has 9,000 tokens, the context 4,096" };
    await expect(engine.complete(ASKED)).rejects.toMatchObject(failed);
    await expect(engine.complete(ASKED, { onToken: () => undefined })).rejects.toMatchObject(failed);
  });

  it("rejects with the caller's own reason and aborts the work on the other side", async () => {
    let tell: (reason: unknown) => void;
    const stopped = new Promise<unknown>((resolve) => {
      tell = resolve;
    });
    const controller = new AbortController();
    const engine = await served(
      answering((_, options) => {
        options!.signal!.addEventListener("abort", () => tell(options!.signal!.reason));
        options?.onToken?.("a piece");
        return new Promise(() => undefined);
      }),
    );
    const reason = new Error("the person typed on");
    const told: string[] = [];
    const call = engine.complete(ASKED, {
      signal: controller.signal,
      onToken: (piece) => {
        told.push(piece);
        controller.abort(reason);
      },
    });
    await expect(call).rejects.toBe(reason);
    expect(told).toEqual(["a piece"]);
    expect(await stopped).toMatchObject({ message: "the person typed on" });
  });

  it("rejects calls in flight and later ones as closed", async () => {
    const engine = await served(answering(() => new Promise(() => undefined)));
    const rejected = expect(engine.complete(ASKED)).rejects.toMatchObject({ code: "closed" });
    await engine.close();
    await rejected;
    await expect(engine.complete(ASKED)).rejects.toMatchObject({ code: "closed" });
  });

  it("ends a call whose caller is gone", async () => {
    const { port1, port2 } = new MessageChannel();
    channels.push({ port1, port2 } as MessageChannel);
    let signal: AbortSignal | undefined;
    serveEngine(
      answering((_, options) => {
        signal = options?.signal;
        return new Promise(() => undefined);
      }),
      port1,
    );
    const engine = await remoteEngine(port2);
    void engine.complete(ASKED).catch(() => undefined);
    await expect.poll(() => signal).toBeDefined();
    port2.close();
    await expect.poll(() => signal?.aborted).toBe(true);
  });

  it("is reached through a port of its own where it has one, else through one that is served here", async () => {
    const until = new AbortController().signal;
    const local = scriptedEngine({ answers: ["green"] });
    const plain = await openEnginePort(local, until);
    const own = await openEnginePort({ ...local, connect: async () => (await openEnginePort(local, until)).port }, until);
    for (const { port, stop } of [plain, own]) {
      const engine = await remoteEngine(port);
      expect((await engine.complete(ASKED)).text).toBe("green");
      await engine.close();
      stop();
    }
  });
});
