import { describe, expect, it } from "vitest";
import type { ConversationId } from "../../src/types.js";
import { openedMemories } from "./opened.js";

const { open } = openedMemories();
const at = Date.UTC(2026, 4, 7, 12);

describe("an incognito conversation", () => {
  it("stores nothing under the id of one that is open and stores", async () => {
    const memory = await open();
    await memory.conversation("c").record({ user: "I like green tea." });
    const hidden = memory.conversation("c", { incognito: true });
    const written = await hidden.record({ user: "My secret is that I see Kim." });
    expect(written.stored).toEqual([]);
    expect(written.refused).toMatchObject([{ reason: "incognito" }]);
    expect(await memory.stats()).toMatchObject({ turns: 1, entries: 1 });
    expect((await hidden.history()).map(({ text }) => text)).toEqual(["My secret is that I see Kim."]);
    expect((await memory.conversation("c").context()).messages.map(({ text }) => text)).toEqual(["I like green tea."]);
  });

  it("takes nothing from one of its id that stores", async () => {
    const memory = await open();
    await memory.conversation("c", { incognito: true }).record({ user: "My secret is that I see Kim." });
    const written = await memory.conversation("c").record({ user: "I moved to Leipzig." });
    expect(written.stored).toHaveLength(1);
    expect(await memory.stats()).toMatchObject({ turns: 1, entries: 1 });
    expect((await memory.conversation("c").context()).messages.map(({ text }) => text)).toEqual(["I moved to Leipzig."]);
  });

  it("keeps its short-term memory while a hundred others are held", async () => {
    const memory = await open();
    const hidden = memory.conversation("hidden", { incognito: true });
    await hidden.record({ user: "Call me Kim today." });
    for (let index = 0; index < 120; index++) await memory.conversation(`c${index}`).context();
    for (let index = 0; index < 120; index++) await memory.conversation(`i${index}`, { incognito: true }).context();
    expect((await hidden.context()).messages.map(({ text }) => text)).toEqual(["Call me Kim today."]);
  });

  it("goes when everything is forgotten, or its conversation, or its time", async () => {
    const memory = await open();
    const hidden = memory.conversation("hidden", { incognito: true });
    const shown = async (): Promise<readonly string[]> => (await hidden.context()).messages.map(({ text }) => text);
    await hidden.record({ user: "Call me Kim today.", at });
    await memory.forget({ everything: true });
    expect(await shown()).toEqual([]);
    await hidden.record({ user: "Call me Kim today.", at });
    await memory.forget({ conversationId: "hidden" as ConversationId });
    expect(await shown()).toEqual([]);
    await hidden.record({ user: "Call me Kim today.", at });
    await hidden.record({ user: "Call me Bo tomorrow.", at: at + 60_000 });
    await memory.forget({ said: { from: at, to: at + 1 } });
    expect(await shown()).toEqual(["Call me Bo tomorrow."]);
  });
});
