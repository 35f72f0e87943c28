import { describe, expect, test } from "vitest";
import { checkPrompt, checkTimeout, EngineCalls, wellFormed } from "../../src/slm/engines/engine-calls.js";

/** A promise and what settles it. */
function deferred<T = void>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const never = () => new Promise<never>(() => undefined);
const turns = async (count = 5) => {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
};

describe.each([
  ["with one state", true],
  ["behind a network", false],
])("calls of an engine %s", (_, exclusive) => {
  const open = (timeoutMs?: number) => new EngineCalls({ id: "e/m", timeoutMs, exclusive });

  test("run one after another, in order, and a failure ends none but its own", async () => {
    const calls = open();
    const log: string[] = [];
    const gate = deferred();
    const first = calls.run(undefined, async () => {
      log.push("first begins");
      await gate.promise;
      log.push("first ends");
      throw new Error("broken");
    });
    const second = calls.run(undefined, async () => log.push("second"));
    await turns();
    expect(log).toEqual(["first begins"]);
    gate.resolve();
    await expect(first).rejects.toThrow("broken");
    await second;
    expect(log).toEqual(["first begins", "first ends", "second"]);
  });

  test("that are given up on while they wait reject at once and never begin", async () => {
    const calls = open();
    const gate = deferred();
    const first = calls.run(undefined, () => gate.promise);
    const controller = new AbortController();
    let begun = false;
    const second = calls.run(controller.signal, async () => {
      begun = true;
    });
    const reason = new Error("left");
    controller.abort(reason);
    await expect(second).rejects.toBe(reason);
    gate.resolve();
    await first;
    await calls.run(undefined, async () => undefined);
    expect(begun).toBe(false);
  });

  test("are told of an abort while they run, and their caller gets its reason even where they do not listen", async () => {
    const calls = open();
    const controller = new AbortController();
    let seen: AbortSignal | undefined;
    const call = calls.run(controller.signal, (signal) => {
      seen = signal;
      return never();
    });
    await turns();
    controller.abort("enough");
    await expect(call).rejects.toBe("enough");
    expect(seen?.aborted).toBe(true);
  });

  test("have each their own time, without their wait", async () => {
    const calls = open(200);
    const slow = () => new Promise<string>((resolve) => setTimeout(() => resolve("done"), 80));
    expect(await Promise.all([slow, slow, slow].map((task) => calls.run(undefined, task)))).toEqual(["done", "done", "done"]);
    await expect(calls.run(undefined, never)).rejects.toMatchObject({ code: "timeout", message: expect.stringContaining("e/m") });
  });

  test("end with the engine, those that run and those that wait", async () => {
    const calls = open();
    const running = calls.run(
      undefined,
      (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );
    const waiting = calls.run(undefined, async () => "never");
    const outcomes = Promise.allSettled([running, waiting]);
    await Promise.all([calls.close(), calls.close()]);
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: "rejected", reason: { code: "closed" } });
    await expect(calls.run(undefined, async () => 1)).rejects.toMatchObject({ code: "closed" });
  });

  test("that never end do not hold up the end of the engine for ever", async () => {
    const calls = open(20);
    await expect(calls.run(undefined, never)).rejects.toMatchObject({ code: "timeout" });
    await calls.close();
  });
});

test("a state that a given-up call still holds is waited for; a network is not", async () => {
  const reason = new Error("left");
  for (const exclusive of [true, false]) {
    const calls = new EngineCalls({ id: "e/m", exclusive });
    const gate = deferred();
    const controller = new AbortController();
    const first = calls.run(controller.signal, () => gate.promise);
    await turns();
    controller.abort(reason);
    await expect(first).rejects.toBe(reason);
    let begun = false;
    const second = calls.run(undefined, async () => {
      begun = true;
    });
    await turns(20);
    expect(begun).toBe(!exclusive);
    gate.resolve();
    await second;
    expect(begun).toBe(true);
  }
});

test("a prompt and its options are checked at the door", () => {
  const messages = [{ role: "user", content: "Hi" }] as const;
  expect(() => checkPrompt([])).toThrow(TypeError);
  for (const options of [{ maxTokens: 0 }, { maxTokens: Number.NaN }, { temperature: -1 }, { temperature: 3 }])
    expect(() => checkPrompt(messages, options)).toThrow(RangeError);
  expect(() => checkPrompt(messages, { maxTokens: 1, temperature: 2 })).not.toThrow();
  for (const timeoutMs of [0, -1, Number.NaN]) expect(() => checkTimeout(timeoutMs)).toThrow(RangeError);
  expect(() => checkTimeout(undefined)).not.toThrow();
});

test("halves of surrogate pairs are replaced, and whole pairs are not", () => {
  expect(wellFormed([{ role: "user", content: "a\uD800b\uDC00 👍" }])).toEqual([{ role: "user", content: "a\uFFFDb\uFFFD 👍" }]);
});
