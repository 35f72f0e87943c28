/** Where restored turns go: into their conversation where they go on from its end, else into one beside it, since turns lie in the order
 * in which they were stored and old ones must not pass for what was said last. */

import type { Store } from "../ports.js";
import type { ConversationId, Timestamp, Turn, TurnId } from "../types.js";

interface Place {
  /** The last turn of the conversation that is stored here, until the backup has come to it. */
  last: TurnId | undefined;
}

export class RestoredConversations {
  readonly #store: Store;
  readonly #places = new Map<ConversationId, Place>();
  /** When the backup was written. */
  writtenAt: Timestamp = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Call once for each turn of the backup, in its order, whether it is stored already or not.
   * @returns the conversation to store it in */
  async of({ id, conversationId }: Turn): Promise<ConversationId> {
    let place = this.#places.get(conversationId);
    if (!place) {
      const [last] = await this.#store.listTurns({ conversationId, limit: 1, reverse: true });
      place = { last: last?.id };
      this.#places.set(conversationId, place);
    }
    if (place.last === undefined) return conversationId;
    if (place.last === id) place.last = undefined;
    return `${conversationId} (backup of ${new Date(this.writtenAt).toISOString().slice(0, 10)})` as ConversationId;
  }
}
