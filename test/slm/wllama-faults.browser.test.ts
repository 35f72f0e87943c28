import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { removeWllamaModel, type WllamaOptions, wllama, wllamaModels } from "../../src/slm/engines/wllama.js";

const modelUrl = new URL("/served/model.gguf", location.href).href;
const wasmUrl = new URL("/node_modules/@wllama/wllama/esm/wasm/wllama.wasm", location.href).href;
const SIZE = 100_000;
/** Of what the rigged server sends. */
const sha256 = await (async () => {
  const bytes = Uint8Array.from({ length: SIZE }, (_, at) => (at < 4 ? "GGUF".charCodeAt(at) : (at * 31) % 251));
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
})();
/** Where each request of the server began. */
let ranges: readonly string[] = [];
let channel: BroadcastChannel;

const createWorker = (fault: string) => () =>
  new Worker(new URL("./rigged-wllama.worker.ts", import.meta.url), { type: "module", name: fault });

const open = (fault: string, options: Partial<WllamaOptions> = {}, load = {}) =>
  wllama({ modelUrl, wasmUrl, createWorker: createWorker(fault), ...options }).open(load);

describe("wllama without what it needs", { timeout: 60_000 }, () => {
  beforeEach(async () => {
    await removeWllamaModel(modelUrl);
    ranges = [];
    channel = new BroadcastChannel("rigged-wllama");
    channel.onmessage = ({ data }) => {
      ranges = data;
    };
  });
  afterEach(() => channel.close());

  it.each([
    ["gone", "asset-unavailable", /status 404/],
    ["page in its place", "asset-unavailable", /web page/],
    ["another file", "asset-unavailable", /no GGUF file.*PK a/],
    ["disk is full", "quota-exceeded", /no room/],
    ["disk gets full", "quota-exceeded", /no room/],
    ["little memory", "unsupported", /too much for a machine.*fewer bits$/],
    ["large, little memory", "unsupported", /too much for a machine.*, such as SmolLM2-360M-Instruct in Q8_0 \(386 MB\)$/],
    ["large, little room", "quota-exceeded", /no room.*, such as SmolLM2-135M-Instruct in Q8_0 \(145 MB\)$/],
    ["no files", "storage-unavailable", /private window/],
    ["no peer", "peer-missing", /@wllama\/wllama/],
  ])("says so and leaves nothing behind: %s", async (fault, code, message) => {
    await expect(open(fault)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect((await wllamaModels()).filter(({ sizeBytes }) => sizeBytes > 0)).toEqual([]);
  });

  it("tells how many bytes are lacking", async () => {
    await expect(open("disk is full")).rejects.toMatchObject({
      details: { neededBytes: SIZE, usageBytes: 900_000, quotaBytes: 950_000 },
    });
  });

  it("refuses a damaged file, and fetches it anew the next time", async () => {
    for (let time = 0; time < 2; time++) {
      await expect(open("none")).rejects.toMatchObject({ code: "asset-unavailable", message: expect.stringMatching(/damaged/) });
      expect(ranges).toEqual([""]);
      expect(await wllamaModels()).toEqual([]);
    }
  });

  it("refuses a file of another hash before it is loaded, and keeps one of the right hash", async () => {
    const other = "0".repeat(64);
    await expect(open("none", { sha256: other })).rejects.toMatchObject({
      code: "asset-unavailable",
      message: expect.stringContaining(sha256),
    });
    expect(await wllamaModels()).toEqual([]);
    await expect(open("none", { sha256 })).rejects.toMatchObject({ code: "asset-unavailable" });
    expect(await wllamaModels()).toEqual([{ url: modelUrl, sizeBytes: SIZE, isWhole: true }]);
  });

  it.each([
    ["cut once", ["", "bytes=40000-"]],
    ["cut, no ranges", ["", "bytes=40000-"]],
    ["cut, another version", ["", "bytes=40000-", ""]],
  ])("goes on by itself where a download was cut: %s", async (fault, expected) => {
    // The right hash shows that the parts are put together well; llama.cpp refuses them all the same.
    await expect(open(fault, { sha256 })).rejects.toMatchObject({ message: expect.stringMatching(/could not be loaded/) });
    expect(ranges).toEqual(expected);
    expect(await wllamaModels()).toEqual([{ url: modelUrl, sizeBytes: SIZE, isWhole: true }]);
  });

  it("keeps what came where it stays cut", async () => {
    await expect(open("cut always")).rejects.toMatchObject({
      code: "asset-unavailable",
      message: expect.stringMatching(/90000 of 100000 bytes are kept, and the next open goes on/),
    });
    expect(await wllamaModels()).toEqual([{ url: modelUrl, sizeBytes: 90_000, isWhole: false }]);
  });

  it("pauses when it is aborted, and goes on at the next open", async () => {
    const reason = new Error("later");
    const controller = new AbortController();
    const onProgress = ({ task, done }: { readonly task: string; readonly done: number }) => {
      if (task.startsWith("download") && done > 0) controller.abort(reason);
    };
    await expect(open("none", {}, { signal: controller.signal, onProgress })).rejects.toBe(reason);
    await expect.poll(async () => (await wllamaModels())[0]?.sizeBytes ?? 0).toBeGreaterThan(0);
    const [paused] = await wllamaModels();
    expect(paused).toMatchObject({ url: modelUrl, isWhole: false });
    await expect(open("none", { sha256 })).rejects.toMatchObject({ message: expect.stringMatching(/could not be loaded/) });
    expect(ranges[0]).toMatch(/^bytes=\d+0000-$/);
  });

  it.each([
    ["/no-such-folder/wllama.wasm", /is not wllama.wasm \((status 404|it is no WASM)\)/],
    ["http://127.0.0.1:9/wllama.wasm", /is not wllama.wasm/],
  ])("says that the script is not there, and does not wait for ever: %s", async (wrong, message) => {
    await expect(open("none", { wasmUrl: wrong })).rejects.toMatchObject({
      code: "asset-unavailable",
      message: expect.stringMatching(message),
    });
  });

  it("needs half precision for WebGPU", async () => {
    await expect(open("none", { device: "webgpu" })).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringMatching(/wasm/),
    });
  });
});
