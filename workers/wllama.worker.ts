/** The wllama worker: a small model runs here, in WASM or on WebGPU. */

import { hostEngine } from "../src/slm/engines/engine-host.js";
import { wllamaHost } from "../src/slm/engines/wllama-host.js";

hostEngine(
  wllamaHost((url) => (url === undefined ? import("@wllama/wllama") : import(/* @vite-ignore */ /* webpackIgnore: true */ url))),
);
