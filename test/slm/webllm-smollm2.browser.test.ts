/** WebLLM with the weights of SmolLM2-135M, block for block those of the GGUF file: it scores as llama.cpp does. At some tokens a second
 * without a GPU this takes minutes, so it runs only where a build of them was put into `models/webllm/`. */

import { expect, test } from "vitest";
import { webllm } from "../../src/slm/engines/webllm.js";
import { agreement, scoresOf } from "./score-sample.js";

const FOLDER = `${location.origin}/models/webllm/`;
const MODEL = {
  model: "smollm2-135m-q4",
  modelUrl: new URL("smollm2-135m-q4", FOLDER),
  modelLib: new URL("smollm2-135m-q4.wasm", FOLDER),
};
const library = await fetch(MODEL.modelLib);
await library.body?.cancel();
const isThere = library.ok && library.headers.get("content-type") === "application/wasm";

test.skipIf(!isThere)(
  `SmolLM2-135M gives the same scores in WebLLM as in llama.cpp${isThere ? "" : " (skipped: models/webllm holds no build of it)"}`,
  { timeout: 1_800_000 },
  async () => {
    const engine = await webllm({ ...MODEL, callLimitMs: 600_000 }).open();
    const scores = await scoresOf(engine);
    await engine.close();
    const { difference, correlation } = agreement(scores);
    console.info(JSON.stringify({ scores, difference, correlation, speed: engine.capabilities.tokensPerSecond }));
    expect(correlation).toBeGreaterThanOrEqual(0.9);
    expect(difference).toBeLessThan(0.15);
  },
);
