/** What runs in a tab, or in a worker of one, whose engine never answers: its name is that of the database. */

import { openMemory } from "../../src/index.js";

const { name } = globalThis as { readonly name?: string };
if (!name) throw new Error("the frame or worker is named as its database");
const channel = new BroadcastChannel(`hanging ${name}`);
const memory = await openMemory({ name, userId: "me", timeZone: "UTC" });
await memory.consolidate({
  consolidator: {
    id: "scripted",
    place: "engine",
    consolidate: ({ fragments }) => {
      channel.postMessage(fragments.map(({ text }) => text));
      return new Promise(() => undefined);
    },
  },
  optedIn: true,
});
