/** The Chromium side of the replay test. */

import { openMemory } from "keepsake";
import type { DatasetMemory } from "../../eval/data/dataset.js";
import { play } from "./play.js";

self.onmessage = async ({ data }: MessageEvent<{ readonly memory: DatasetMemory; readonly questions: number }>) => {
  try {
    const memory = await openMemory({ name: `replay ${Date.now()}`, userId: "reader", timeZone: "UTC" });
    const value = await play(memory, data.memory, data.questions);
    await memory.close();
    postMessage({ ok: true, value });
  } catch (error) {
    postMessage({ ok: false, error: String(error) });
  }
};
