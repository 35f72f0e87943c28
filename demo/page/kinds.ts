/** The kinds of memories, in the order in which the page offers them. Data. */

import type { EntryKind } from "keepsake";

export const KINDS: readonly EntryKind[] = ["fact", "preference", "event", "plan", "decision", "state"];
