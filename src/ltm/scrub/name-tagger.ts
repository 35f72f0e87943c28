/** Finds persons' names that nobody told the memory, in English, German, Spanish and Chinese. */

import { chineseNames } from "./names/chinese-tagger.js";
import { latinNames } from "./names/latin-tagger.js";
import { type NameModel, readNameModel } from "./names/model.js";
import { identityOf } from "./persons.js";
import type { IdentitySpan } from "./span.js";

export class NameTagger {
  /** Of the model. */
  readonly version: string;
  readonly #model: NameModel;

  private constructor(model: NameModel) {
    this.#model = model;
    this.version = model.version;
  }

  /** @param bytes `names.bin`
   * @throws MemoryError "asset-unavailable" */
  static async open(bytes: Uint8Array<ArrayBuffer>): Promise<NameTagger> {
    return new NameTagger(await readNameModel(bytes));
  }

  /** Takes time in proportion to the text. */
  find(text: string): (IdentitySpan & { readonly identity: string })[] {
    const latin = /\p{Script=Latin}/u.test(text) ? latinNames(text, this.#model) : [];
    const chinese = /\p{Script=Han}/u.test(text) ? chineseNames(text, this.#model) : [];
    return [...latin, ...chinese].map(({ start, end }) => ({
      type: "PERSON",
      start,
      end,
      identity: identityOf(text.slice(start, end)),
    }));
  }
}
