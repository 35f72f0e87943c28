/** The consolidation worker: asks a model behind an HTTP endpoint for a batch's operations, and waits for it. */

import { consolidateWith } from "../src/ltm/model-consolidator.js";
import { hostEngine } from "../src/slm/engines/engine-host.js";
import { openaiHost } from "../src/slm/engines/openai-host.js";

hostEngine(
  openaiHost((url) => (url === undefined ? import("openai") : import(/* @vite-ignore */ /* webpackIgnore: true */ url)), {
    consolidate: (engine, batch) => consolidateWith(engine, batch, {}),
  }),
);
