/** The consolidation worker: asks a model behind an HTTP endpoint for a batch's operations, and waits for it. */

import { consolidateWith } from "../src/ltm/model-consolidator.js";
import type { TokenUsage } from "../src/ports.js";
import { hostEngine } from "../src/slm/engines/engine-host.js";
import { openaiHost } from "../src/slm/engines/openai-host.js";

hostEngine(
  openaiHost((url) => (url === undefined ? import("openai") : import(/* @vite-ignore */ /* webpackIgnore: true */ url)), {
    consolidate: async (engine, batch) => {
      const usage: TokenUsage[] = [];
      const operations = await consolidateWith(engine, batch, { onUsage: (one) => usage.push(one) });
      return { operations, usage };
    },
  }),
);
