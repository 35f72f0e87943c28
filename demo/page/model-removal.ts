/** Deletes what is kept of a model on this device, after a question. */

import { removeWebllmModel } from "keepsake/webllm";
import type { Desk } from "./desk.js";
import { askPerson } from "./dialog.js";
import { el } from "./dom.js";
import type { OfferedModel } from "./model-list.js";

/** @param after is done before the question closes
 * @returns whether it was removed */
export async function askAndRemove(
  { model, name, downloadMB }: OfferedModel,
  { memory, signal }: Desk,
  after: () => Promise<void>,
): Promise<boolean> {
  const { model: attached } = await memory.stats();
  return askPerson(
    {
      title: `Remove ${name} from this device?`,
      body: [
        el("p", {}, `Its weights go, ${downloadMB} MB where all of them are here. To load it again, they are downloaded anew.`),
        attached?.id === `webllm/${model}` && el("p", {}, "It is in use, and stays so until you take it away or leave the page."),
      ],
      accept: "Remove",
      dangerous: true,
      act: async () => {
        await removeWebllmModel({ model, signal });
        await after();
      },
    },
    signal,
  );
}
