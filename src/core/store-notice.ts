/** What a store tells on the way, as events of a memory. */

import type { MemoryEvent } from "../backend.js";
import type { StoreNotice } from "../ports.js";

export function eventOf(notice: StoreNotice): MemoryEvent {
  const { type, ...detail } = notice;
  return { type, detail } as MemoryEvent;
}
