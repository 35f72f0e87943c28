/** The WebLLM worker: a small model runs here, on WebGPU. */

import { hostEngine } from "../src/slm/engines/engine-host.js";
import { webLlmHost } from "../src/slm/engines/webllm-host.js";

hostEngine(
  webLlmHost((url) => (url === undefined ? import("@mlc-ai/web-llm") : import(/* @vite-ignore */ /* webpackIgnore: true */ url))),
);
