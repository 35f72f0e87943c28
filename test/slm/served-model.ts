/** SmolLM2-135M behind HTTP, for as long as the tests of a suite run. */

import { afterAll, beforeAll } from "vitest";
import type { ConnectableSlm } from "../../src/ports.js";
import { nodeLlama } from "../../src/slm/engines/node-llama.js";
import { type RunningServer, serveOpenAi } from "./openai-server.js";
import { SMOLLM2 } from "./smollm2.js";

/** @returns what is there once the suite's tests run: the model itself, and where it is served */
export function servedModel(apiKey: string): { readonly model: ConnectableSlm; readonly url: string } {
  let model: ConnectableSlm;
  let server: RunningServer;
  beforeAll(async () => {
    model = await nodeLlama({ modelPath: SMOLLM2 ?? "", contextTokens: 1_024 }).open();
    server = await serveOpenAi(model, apiKey);
  }, 60_000);
  afterAll(async () => {
    await server.close();
    await model.close();
  });
  return {
    get model() {
      return model;
    },
    get url() {
      return server.url;
    },
  };
}
