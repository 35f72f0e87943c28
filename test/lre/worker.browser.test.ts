import { describe, expect, it } from "vitest";
import { isMemoryError } from "../../src/errors.js";
import { Learner } from "../../src/lre/learner.js";
import type { LearnerApi } from "../../src/lre/learner-service.js";
import type { Unit } from "../../src/lre/unit.js";
import { connect } from "../../src/rpc/endpoint.js";

const units = Array.from(
  { length: 40 },
  (_, i): Unit => ({
    id: String(i),
    role: "user",
    speaker: i % 2 ? "Ana" : "Bo",
    session: "1",
    text: i % 8 === 3 ? `My new address is ${i} Harbour Lane.` : `so how was the walk number ${i}?`,
  }),
);
const log = { id: "chat", units, answered: [{ question: "Where do you live?", answer: "At 11 Harbour Lane." }] };

describe("the learner in its worker", () => {
  it("learns what the learner in the page's thread learns, and remembers it from its bytes", async () => {
    const worker = new Worker(new URL("../../workers/lre.worker.ts", import.meta.url), { type: "module" });
    const { remote } = connect<LearnerApi>(worker);
    const early = await remote.export().catch((error: unknown) => error);
    expect(isMemoryError(early, "closed")).toBe(true);
    await remote.open("people");
    const { evidence, bytes } = await remote.observe(log);
    const here = new Learner("people");
    here.observe(log);
    expect(evidence).toBe(here.evidence);
    expect(bytes).toEqual(here.export());
    const damaged = await remote.open("people", {}, bytes.slice(0, 50)).catch((error: unknown) => error);
    expect(isMemoryError(damaged, "storage-corrupt")).toBe(true);
    await remote.open("people", {}, bytes);
    expect((await remote.local())?.evidence).toBe(evidence);
    await remote.reset();
    expect(await remote.local()).toBeUndefined();
    worker.terminate();
  });
});
