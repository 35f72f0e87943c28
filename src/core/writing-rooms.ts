/** Makes the parts of a memory that write, forget, import and export. Opening and recalling do without them, so they are a file of
 * their own, loaded after the memory is open. */

import { LiteWriter } from "../write/writer.js";
import { ConsolidationJobs } from "./consolidation-jobs.js";
import { EntryEdits } from "./entry-edits.js";
import { EntryUndo } from "./entry-undo.js";
import { Eviction } from "./eviction.js";
import { EvictionQueue } from "./eviction-queue.js";
import { Exporting } from "./exporting.js";
import { Forgetting } from "./forgetting.js";
import { ForgottenMarks } from "./forgotten-marks.js";
import { Importing } from "./importing.js";
import { Intake } from "./intake.js";
import type { LocalMemoryParts } from "./local-memory-parts.js";
import { Recorder } from "./recorder.js";
import { EntryRepair } from "./repair-entries.js";
import type { House, ReadingRooms } from "./rooms.js";

/** Turns after which consolidation is due (LightMem: 10 to 15), and where the next ones evict: what goes is to be learned from first. */
const TURNS = 12;
const TURNS_NEARLY_FULL = 3;
/** Share of the capacity from which on a memory is nearly full. */
const NEARLY_FULL = 0.95;

export interface WritingRooms {
  readonly recorder: Recorder;
  readonly forgetting: Forgetting;
  readonly exporting: Exporting;
  readonly importing: Importing;
  readonly edits: EntryEdits;
  readonly undoing: EntryUndo;
  readonly repair: EntryRepair;
}

export interface WritingParts extends LocalMemoryParts {
  readonly rooms: ReadingRooms;
  readonly prepareLanguages: (texts: readonly string[]) => Promise<void>;
}

export function joinWritingRooms({ rooms, ...parts }: WritingParts, house: House): WritingRooms {
  const { store, options, clock, newId, prepareLanguages } = parts;
  const { degradations, model, knowledge, keeper, conversations, learning, usage, follower, reEmbedding } = rooms;
  const { timeZone } = options;
  const index = () => keeper.index;
  const embedder = () => keeper.embedder;
  const marks = new ForgottenMarks({ store, newId, onMissing: (reason) => degradations.tell("forgetting", new Error(reason)) });
  const shared = { store, index, follower, usage };
  const jobs = new ConsolidationJobs(store);
  const evicted = new EvictionQueue(store);
  house.inBackground(() => evicted.expire(clock.now()));
  const intake = new Intake({
    writer: new LiteWriter({ onMissing: (error) => degradations.tell("sentence gate", error) }),
    prepareLanguages,
    timeZone,
  });
  return {
    recorder: new Recorder({
      ...shared,
      embedder,
      catchUp: async () => {
        await house.catchUp();
        conversations.reset();
      },
      intake,
      onWritten: (written) => {
        model.recorded(written);
        const isNearlyFull = index().table.size > NEARLY_FULL * options.capacity;
        knowledge.recorded(written.turnIds.length, isNearlyFull ? TURNS_NEARLY_FULL : TURNS);
      },
      marks,
      eviction: new Eviction({ capacity: options.capacity, usage, queue: evicted }),
      clock,
      newId,
      timeZone,
    }),
    forgetting: new Forgetting({
      ...shared,
      embedder,
      marks,
      newId,
      cascades: [
        { part: "evicted", forgetting: (...meant) => evicted.forgetting(...meant) },
        { part: "consolidation", forgetting: (...meant) => jobs.forgetting(...meant) },
        { part: "scorer", forgetting: (...meant) => learning.forgetting(...meant) },
      ],
    }),
    exporting: new Exporting({ name: options.name, store, usage, clock }),
    importing: new Importing({
      ...parts,
      marks,
      record: house.record,
      timeZone,
      backup: {
        ...shared,
        marks,
        inQueue: house.inQueue,
        wake: () => {
          learning.heard();
          reEmbedding.wake();
        },
      },
    }),
    edits: new EntryEdits({ store, keeper, follower, clock, timeZone }),
    undoing: new EntryUndo({ ...shared, keeper }),
    repair: new EntryRepair({ ...shared, intake, degradations, newId }),
  };
}
