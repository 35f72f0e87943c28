/** What a small model beside a memory does, in whichever thread and on whichever store. */

import { expect, it } from "vitest";
import { type ConnectableSlm, type Memory, MemoryError, type MemoryOptions } from "../../../src/index.js";
import { letterEmbedder } from "../letters.js";

const MAY = Date.UTC(2026, 4, 7, 12);
const JUNE = Date.UTC(2026, 5, 20, 12);

/** An engine that answers every prompt with the same words, or never. */
function engine(answer: string | undefined): ConnectableSlm & { readonly calls: () => number; readonly closed: () => boolean } {
  let calls = 0;
  let isClosed = false;
  return {
    id: `contract/${answer}`,
    capabilities: { schema: false, grammar: false, scores: false, contextTokens: 4_096, device: "cpu" },
    calls: () => calls,
    closed: () => isClosed,
    complete: async () => {
      calls++;
      if (answer === undefined) await new Promise(() => undefined);
      return { text: answer ?? "", finish: "stop", promptTokens: 10, completionTokens: 5 };
    },
    close: async () => {
      isClosed = true;
    },
  };
}

/** What opens when a test says so. */
function opening(): { readonly promise: Promise<ConnectableSlm>; readonly resolve: (slm: ConnectableSlm) => void } {
  let resolve = (_: ConnectableSlm): void => undefined;
  const promise = new Promise<ConnectableSlm>((take) => {
    resolve = take;
  });
  return { promise, resolve };
}

const PLAN = '{"queries":[{"text":"tortoise name","route":"mtm","share":1}],"time":""}';

export function slmContract(open: (options?: Partial<MemoryOptions>) => Promise<Memory>): void {
  const told = async (memory: Memory) => {
    await memory.record({ user: "I keep a tortoise called Bruno.", at: MAY });
    await memory.record({ user: "My parrot is called Kiki.", at: MAY });
  };

  it("answers by lite while a model loads, and says why there is none", async () => {
    let fail = (_: Error): void => undefined;
    const slm = { open: () => new Promise<ConnectableSlm>((_, reject) => (fail = reject)) };
    const memory = await open({ slm });
    const degraded: string[] = [];
    memory.addEventListener("degraded", ({ detail }) => degraded.push(`${detail.part}: ${detail.reason}`));
    await told(memory);
    const { items, trace } = await memory.recall("tortoise", { at: JUNE });
    expect(items[0]?.text).toContain("Bruno");
    expect(trace.roles).toEqual({ controller: "lite", selector: "lite" });
    fail(new MemoryError("unsupported", "there is no WebGPU here"));
    await expect.poll(() => degraded).toEqual(["model: there is no WebGPU here"]);
    const { roles, model, degraded: kept } = await memory.stats();
    expect(model).toBeUndefined();
    expect(roles.selector).toMatchObject({ form: "lite", reason: "no model is attached" });
    expect(kept).toContainEqual({ part: "model", reason: "there is no WebGPU here" });
  });

  it("lets a model plan where the app says so, tells it in the trace, and counts its answers", async () => {
    const memory = await open();
    await told(memory);
    await memory.attach({ slm: engine(PLAN), slmRoles: { controller: "generate" } });
    const { trace } = await memory.recall("What is it called?", { at: JUNE });
    expect(trace.roles).toEqual({ controller: "generate", selector: "lite" });
    expect(trace.plan.queries.map(({ text }) => text)).toContain("tortoise name");
    const { model, roles } = await memory.stats();
    expect(model).toMatchObject({ state: "ready", calls: 1, structured: { asked: 1, parsed: 1 } });
    expect(roles.controller).toMatchObject({ form: "generate", answered: 1, late: 0 });
    expect(roles.writer.form).toBe("lite");
    await memory.detachSlm();
    expect((await memory.recall("What is it called?", { at: JUNE })).trace.roles.controller).toBe("lite");
    expect((await memory.stats()).model).toBeUndefined();
  });

  it("lets a model choose what a question points at, by how likely it finds each reading", async () => {
    const memory = await open();
    await told(memory);
    await memory.record({ user: "We brought Bruno and Kiki to the vet.", at: JUNE });
    const silent = engine(undefined);
    const scoring: ConnectableSlm = {
      ...silent,
      capabilities: { ...silent.capabilities, scores: true },
      score: async (prompt, continuations) => {
        const fits = (text: string) => prompt.some(({ content }) => content.includes("vet")) && text.includes("Kiki");
        return continuations.map((text) => ({ logProbability: fits(text) ? -1 : -9, tokens: 4 }));
      },
    };
    await memory.attach({ slm: scoring, slmRoles: { controller: "likelihood" } });
    const { trace } = await memory.recall("What does she eat?", { at: JUNE + 60_000 });
    expect(trace.roles.controller).toBe("likelihood");
    expect(trace.plan.queries.map(({ text }) => text)).toContain("What does Kiki eat?");
  });

  it("answers in time beside a model that never does, and lets it rest after some misses", async () => {
    const memory = await open({ deadlineMs: 60 });
    await told(memory);
    const stuck = engine(undefined);
    await memory.attach({ slm: stuck, slmRoles: { controller: "generate" } });
    for (let time = 0; time < 3; time++) {
      const { items, trace } = await memory.recall("tortoise", { at: JUNE });
      expect(items[0]?.text).toContain("Bruno");
      expect(trace.fallbacks.map(({ role }) => role)).toContain("controller");
    }
    const asked = stuck.calls();
    const { trace } = await memory.recall("tortoise", { at: JUNE });
    expect(trace.fallbacks[0]).toMatchObject({ role: "controller", reason: expect.stringContaining("rests") });
    expect(stuck.calls()).toBe(asked);
    expect((await memory.stats()).roles.controller).toMatchObject({ late: 3, resting: expect.any(String) });
  });

  it("gives no role to a model that is no better than lite, and remembers it", async () => {
    const memory = await open();
    const progress: number[] = [];
    memory.addEventListener("progress", ({ detail }) => detail.task === "exam" && progress.push(detail.done / detail.total));
    const silly = engine("I would rather not.");
    await memory.attach({ slm: silly });
    await expect.poll(async () => (await memory.stats()).model?.state, { timeout: 15_000 }).toBe("ready");
    const { roles } = await memory.stats();
    expect([roles.controller.form, roles.selector.form, roles.writer.form]).toEqual(["lite", "lite", "lite"]);
    expect(roles.selector.trials[0]).toMatchObject({ form: "generate", passed: false });
    expect(roles.selector.reason).toContain("lite is kept");
    expect(progress.at(-1)).toBe(1);
    await memory.detachSlm();
    const calls = silly.calls();
    await memory.attach({ slm: silly });
    await expect.poll(async () => (await memory.stats()).model?.state).toBe("ready");
    expect(silly.calls()).toBe(calls);
    expect((await memory.stats()).roles.selector.reason).toContain("lite is kept");
  });

  it("examines a model again whose engine failed in its exam, and beside another embedder", async () => {
    const memory = await open();
    const silly = engine("I would rather not.");
    const unplugged = { ...silly, complete: () => Promise.reject(new MemoryError("model-failed", "fetch failed")) };
    const ready = () => expect.poll(async () => (await memory.stats()).model?.state).toBe("ready");
    await memory.attach({ slm: unplugged });
    await ready();
    expect((await memory.stats()).roles.selector.reason).toContain("held again later: fetch failed");
    await memory.attach({ slm: silly });
    await expect.poll(async () => (await memory.stats()).roles.selector.reason).toContain("lite is kept");
    const once = silly.calls();
    expect(once).toBeGreaterThan(10);
    await told(memory);
    await memory.attach({ embedder: letterEmbedder });
    await memory.recall("tortoise", { at: JUNE });
    await expect.poll(() => silly.calls()).toBeGreaterThan(once + 10);
    await ready();
    expect((await memory.stats()).roles.selector.reason).toContain("lite is kept");
  });

  it("keeps to the last wish where a model still loads, and gives up a download that nobody wants any more", async () => {
    const [slow, slower] = [opening(), opening()];
    const memory = await open({ slm: { open: () => slow.promise } });
    const signals: (AbortSignal | undefined)[] = [];
    const [late, quick, later] = [engine("late"), engine("quick"), engine("later")];
    await memory.attach({ slm: quick, slmRoles: {} });
    slow.resolve(late);
    await expect.poll(() => late.closed()).toBe(true);
    expect((await memory.stats()).model?.id).toBe("contract/quick");
    const attached = memory.attach({
      slm: {
        open: async ({ signal } = {}) => {
          signals.push(signal);
          return slower.promise;
        },
      },
      slmRoles: {},
    });
    const refused = expect(attached).rejects.toMatchObject({ name: "AbortError" });
    await expect.poll(() => signals.length).toBe(1);
    await memory.detachSlm();
    await refused;
    expect(signals[0]?.aborted).toBe(true);
    slower.resolve(later);
    await expect.poll(() => later.closed()).toBe(true);
    expect((await memory.stats()).model).toBeUndefined();
    expect((await memory.stats()).degraded).toEqual([]);
  });

  it("closes a model that it opened, and no other", async () => {
    const [ours, theirs] = [engine(PLAN), engine(PLAN)];
    const memory = await open();
    await memory.attach({ slm: { open: async () => ours }, slmRoles: {} });
    await memory.attach({ slm: theirs, slmRoles: {} });
    expect([ours.closed(), theirs.closed()]).toEqual([true, false]);
    await memory.close();
    expect(theirs.closed()).toBe(false);
  });

  it("takes no other roles and forms than there are", async () => {
    const memory = await open();
    const roles = { selector: "rank" } as unknown as NonNullable<MemoryOptions["slmRoles"]>;
    await expect(memory.attach({ slm: engine(PLAN), slmRoles: roles })).rejects.toThrow(TypeError);
  });
}
