import { expect, it, vi } from "vitest";
import { openMemory } from "../../src/memory.js";

const SAID = ["pottery", "rowing", "chess", "karate", "yoga", "archery", "fencing"];

it("consolidates what waits when its page is hidden, and not for a memory or two", { timeout: 30_000 }, async () => {
  const state = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  const hide = () => document.dispatchEvent(new Event("visibilitychange"));
  const memory = await openMemory({ name: `hidden ${crypto.randomUUID()}`, userId: "me" });
  const few = await openMemory({ name: `hidden ${crypto.randomUUID()}`, userId: "me" });
  await few.record({ user: "I signed up for a pottery class." });
  for (const sport of SAID) await memory.record({ user: `I signed up for a ${sport} class.` });
  await vi.waitFor(
    async () => {
      hide();
      expect(await memory.knowledge.jobs()).toMatchObject([{ state: "committed", consolidator: "lite" }]);
    },
    { timeout: 20_000, interval: 200 },
  );
  expect(await few.knowledge.jobs()).toEqual([]);
  await memory.close();
  await few.close();
  hide();
  state.mockRestore();
});
