import { afterEach, describe, expect, it } from "vitest";
import { MemoryError } from "../../src/errors.js";
import type { Embedder } from "../../src/ports.js";
import { remoteEmbedder, serveEmbedder } from "../../src/rpc/embedder.js";

const channels: MessageChannel[] = [];
afterEach(() => {
  for (const { port1, port2 } of channels.splice(0)) {
    port1.close();
    port2.close();
  }
});

function served(embed: Embedder["embed"]): Promise<Embedder> {
  const channel = new MessageChannel();
  channels.push(channel);
  serveEmbedder({ id: "lengths", dimension: 2, embed, close: async () => undefined }, channel.port1);
  return remoteEmbedder(channel.port2);
}

describe("an embedder behind a port", () => {
  it("tells its id and dimension and embeds", async () => {
    const embedder = await served(async (texts) => new Float32Array(texts.flatMap((text) => [text.length, 1])));
    expect([embedder.id, embedder.dimension]).toEqual(["lengths", 2]);
    expect([...(await embedder.embed(["a", "abc"]))]).toEqual([1, 1, 3, 1]);
  });

  it("carries a typed error across", async () => {
    const embedder = await served(async () => {
      throw new MemoryError("model-failed", "the model is out of memory");
    });
    await expect(embedder.embed(["a"])).rejects.toMatchObject({ code: "model-failed", message: "the model is out of memory" });
  });

  it("rejects with the caller's own reason and aborts the work on the other side", async () => {
    let seen: AbortSignal | undefined;
    let tell: (reason: unknown) => void;
    const stopped = new Promise<unknown>((resolve) => {
      tell = resolve;
    });
    const embedder = await served((_, options) => {
      seen = options?.signal;
      seen?.addEventListener("abort", () => tell(seen?.reason));
      return new Promise(() => undefined);
    });
    const controller = new AbortController();
    const call = embedder.embed(["a"], { signal: controller.signal });
    await expect.poll(() => seen).toBeDefined();
    const reason = new Error("the person typed on");
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(await stopped).toMatchObject({ message: "the person typed on" });
  });

  it("rejects an aborted call before it is sent", async () => {
    let calls = 0;
    const embedder = await served(async () => {
      calls++;
      return new Float32Array(2);
    });
    await expect(embedder.embed(["a"], { signal: AbortSignal.abort("no") })).rejects.toBe("no");
    expect(calls).toBe(0);
  });

  it("rejects calls in flight and later ones as closed", async () => {
    const embedder = await served(() => new Promise(() => undefined));
    const call = embedder.embed(["a"]);
    const rejected = expect(call).rejects.toMatchObject({ code: "closed" });
    await embedder.close();
    await rejected;
    await expect(embedder.embed(["b"])).rejects.toMatchObject({ code: "closed" });
  });

  it("stops being served when the other side closes it", async () => {
    const { port1, port2 } = new MessageChannel();
    channels.push({ port1, port2 });
    serveEmbedder(
      { id: "lengths", dimension: 2, embed: () => new Promise(() => undefined), close: async () => undefined },
      port1,
    );
    const closed = new Promise((resolve) => port1.addEventListener("close", resolve, { once: true }));
    const embedder = await remoteEmbedder(port2);
    await embedder.close();
    await closed;
  });

  it("rejects with the signal's reason while nobody answers at the other side", async () => {
    const channel = new MessageChannel();
    channels.push(channel);
    let isReleased = false;
    const opening = remoteEmbedder(channel.port2, {
      signal: AbortSignal.abort("no"),
      release: () => {
        isReleased = true;
      },
    });
    await expect(opening).rejects.toBe("no");
    expect(isReleased).toBe(true);
  });
});
