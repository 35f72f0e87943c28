import { describe, expect, it } from "vitest";
import { isMemoryError } from "../../src/errors.js";
import { learnFromLog } from "../../src/lre/learner-service.js";
import { remoteTrainer } from "../../src/rpc/lre-client.js";
import { spawnLreWorker } from "../../workers/spawn-lre.js";

const turns = Array.from({ length: 40 }, (_, index) => ({
  role: index % 2 ? ("assistant" as const) : ("user" as const),
  sessionId: "1",
  text: index === 6 ? "My new address is 11 Harbour Lane, on the second floor." : `so how was the walk number ${index}?`,
}));
const log = {
  id: "chat",
  turns,
  answered: [{ question: "Where do I live now?", answer: "At 11 Harbour Lane, second floor.", before: 38 }],
};

describe("the learning worker", () => {
  it("learns what would be learned in the page's thread, and goes on from its state", async () => {
    const trainer = remoteTrainer(spawnLreWorker);
    const learned = await trainer.learn("assistant", undefined, log);
    expect(learned.evidence).toBe(1);
    expect(learned).toEqual(await learnFromLog("assistant", undefined, log));
    expect((await trainer.learn("assistant", learned.state, { ...log, id: "other" })).evidence).toBe(2);
  });

  it("refuses a state that is damaged, and says when its script is not there", async () => {
    const trainer = remoteTrainer(spawnLreWorker);
    const damaged = await trainer.learn("assistant", new Uint8Array(50), log).catch((error: unknown) => error);
    expect(isMemoryError(damaged, "storage-corrupt")).toBe(true);
    const missing = remoteTrainer(() => new Worker("/there-is-no-such-worker.js", { type: "module" }));
    const failed = await missing.learn("assistant", undefined, log).catch((error: unknown) => error);
    expect(isMemoryError(failed, "worker-failed")).toBe(true);
  });
});
