import { openMemory } from "keepsake";
import { afterEach, expect, it, vi } from "vitest";

afterEach(() => vi.restoreAllMocks());

const options = () => ({ name: `persistence ${Math.random()}`, userId: "me" });

it("a page asks for storage that stays after its first record, not before, and not of an incognito conversation", async () => {
  const persist = vi.spyOn(navigator.storage, "persist").mockResolvedValue(false);
  vi.spyOn(navigator.storage, "persisted").mockResolvedValue(false);
  const memory = await openMemory(options());
  await memory.recall("tea");
  await memory.conversation("side", { incognito: true }).record({ user: "I see a doctor." });
  expect(persist).not.toHaveBeenCalled();
  await memory.record({ user: "I like green tea." });
  await expect.poll(() => persist.mock.calls.length).toBe(1);
  await memory.record({ user: "I live in Porto." });
  expect(typeof (await memory.stats()).storage.persisted).toBe("boolean");
  await memory.close();
  expect(persist).toHaveBeenCalledTimes(1);
});

it("a page whose app asks by itself does not ask", async () => {
  const persist = vi.spyOn(navigator.storage, "persist").mockResolvedValue(true);
  const memory = await openMemory({ ...options(), persist: false });
  await memory.record({ user: "I like green tea." });
  await memory.close();
  expect(persist).not.toHaveBeenCalled();
});
