/** A memory in a process of its own: orders come as lines on standard input, answers go as lines to standard output. */

import { createInterface } from "node:readline";
import { openMemory } from "../../src/node/index.js";
import type { Embedder } from "../../src/ports.js";
import { letterEmbedder } from "../memory/letters.js";

export type Order =
  | { readonly do: "open"; readonly directory: string; readonly name: string }
  | { readonly do: "record"; readonly messages: readonly { readonly id: string; readonly text: string }[] }
  /** Texts of all entries, and those that a recall finds. */
  | { readonly do: "look"; readonly query: string }
  /** By the memory itself; or by a consolidator that never answers. */
  | { readonly do: "consolidate" | "hang" | "ask" }
  /** Attaches an embedder of this name, and waits until it has embedded everything. */
  | { readonly do: "embed"; readonly as: string };

/** The letters, in a space that its name tells. */
function lettersAs(name: string): Embedder {
  return {
    ...letterEmbedder,
    id: name,
    async embed(texts) {
      const rows = await letterEmbedder.embed(texts);
      return name === "letters" ? rows : rows.map((value, at) => (at % 2 === name.length % 2 ? -value : value));
    },
  };
}

let memory: Awaited<ReturnType<typeof openMemory>>;

async function obey(order: Order): Promise<unknown> {
  switch (order.do) {
    case "open": {
      const { directory, name } = order;
      memory = await openMemory({ directory, name, userId: "me", timeZone: "UTC", embedder: lettersAs("letters") });
      return undefined;
    }
    case "record":
      return (await memory.record({ messages: order.messages.map((one) => ({ ...one, role: "user" as const })) })).turnIds;
    case "look": {
      const texts: string[] = [];
      const { items } = await memory.recall(order.query, { touch: false });
      for await (const { text } of memory.entries()) texts.push(text);
      return { texts, found: items.map(({ text }) => text) };
    }
    case "consolidate":
      return memory.consolidate();
    case "hang": {
      const told = new Promise((resolve) => {
        const consolidate = () => {
          resolve(undefined);
          return new Promise<never>(() => undefined);
        };
        void memory.consolidate({ consolidator: { id: "hangs", place: "device", consolidate }, optedIn: true });
      });
      return told;
    }
    case "ask":
      return memory.consolidate({
        consolidator: { id: "hangs", place: "device", consolidate: async () => [] },
        optedIn: true,
      });
    case "embed":
      await memory.attach({ embedder: lettersAs(order.as) });
      return memory.untilEmbedded();
  }
}

createInterface(process.stdin).on("line", async (line) => {
  const { number, ...order } = JSON.parse(line) as Order & { readonly number: number };
  const answer = await obey(order).then(
    (value) => ({ value }),
    (error: unknown) => ({ error: String(error) }),
  );
  process.stdout.write(`${JSON.stringify({ number, ...answer })}\n`);
});
