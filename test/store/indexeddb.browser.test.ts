import { entryRow, turnRow } from "../../src/store/indexeddb/rows.js";
import { indexedDbStores } from "../../src/store/indexeddb.js";
import type { EntryBlock, SegmentRow, TailRow, TurnRow } from "../../src/store/schema.js";
import type { Entry, Turn, UserId } from "../../src/types.js";
import { describeStore } from "./contract.js";
import { rawChange, rawPut } from "./indexeddb/raw.js";

describeStore("IndexedDB", {
  stores: (options) => indexedDbStores(options),
  disk: {
    async spoilEntry(name, id) {
      await rawChange<EntryBlock>(name, "entries", (block) => ({
        ...block,
        rows: block.rows.map((row) =>
          row.id === id ? { ...row, entry: { ...row.entry, text: row.entry.text.replace("holds", "folds") } } : row,
        ),
      }));
    },
    async spoilTurn(name, id) {
      await rawChange<TurnRow>(name, "turns", (row) =>
        row.turn.id === id ? { ...row, turn: { ...row.turn, text: row.turn.text.replace("said", "sald") } } : row,
      );
    },
    putTurn: (name, turn) => rawPut(name, "turns", turnRow("me" as UserId, turn as Turn), ["me", turn.id]),
    putEntry: (name, entry, key = entry.id) =>
      rawPut(name, "entries", { first: key, rows: [entryRow(entry as Entry, [])] }, ["me", key]),
    async spoilVectors(name, id) {
      await rawChange<SegmentRow>(name, "vectorSegments", (sealed) =>
        (sealed.entryIds as readonly string[]).includes(id) ? { ...sealed, rows: sealed.rows.map((value) => value + 1) } : sealed,
      );
      await rawChange<TailRow>(name, "vectorTail", (tail) =>
        tail.entryId === id ? { ...tail, row: tail.row.map((value) => value + 1) } : tail,
      );
    },
  },
});
