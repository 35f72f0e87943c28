/** Makes the parts of a memory in this thread and gives each what it needs of the others. */

import type { ConversationRef } from "../backend.js";
import type { CallOptions, Tokenizer } from "../ports.js";
import { loadTimeLanguagesOf } from "../text/time-cues.js";
import { defaultTokenizer } from "../text/tokens.js";
import type { TurnInput, Written } from "../types.js";
import { LiteWriter } from "../write/writer.js";
import { Compaction } from "./compaction.js";
import { Conversations } from "./conversations.js";
import { Degradations } from "./degradations.js";
import { EntryAccess } from "./entry-access.js";
import { EntryUndo } from "./entry-undo.js";
import { Eviction } from "./eviction.js";
import { EvictionQueue } from "./eviction-queue.js";
import { Exporting } from "./exporting.js";
import { Follower } from "./follower.js";
import { Forgetting } from "./forgetting.js";
import { ForgottenMarks } from "./forgotten-marks.js";
import { handleLocks } from "./handle-locks.js";
import { Importing } from "./importing.js";
import { IndexKeeper } from "./index-keeper.js";
import { Intake } from "./intake.js";
import { Learning } from "./learning.js";
import type { LocalMemoryParts } from "./local-memory-parts.js";
import { ReEmbedding } from "./re-embedding.js";
import { Recaller } from "./recaller.js";
import { Recorder } from "./recorder.js";
import { EntryRepair } from "./repair-entries.js";
import { StorageWatch } from "./storage-watch.js";
import { UsageLedger } from "./usage-ledger.js";
import { WorkingMemories } from "./working-memories.js";

/** What the parts ask of the memory that holds them. */
export interface House {
  /** Brings indexes level with the store; only inside the write queue. */
  readonly catchUp: () => Promise<void>;
  /** The same from a reader, who does not wait behind a long write. */
  readonly level: () => Promise<void>;
  /** Through the write queue. */
  readonly record: (ref: ConversationRef, turn: TurnInput, call: CallOptions) => Promise<Written>;
  /** Loads everything anew, after an erasure or where the journal was compacted. */
  readonly startOver: (why: "erased" | "behind") => Promise<void>;
  /** Runs a task in the write queue; its failure is told as a degradation. */
  readonly inBackground: (task: () => Promise<void>) => void;
  /** Runs a task in the write queue. */
  readonly inQueue: <T>(task: () => Promise<T>) => Promise<T>;
  /** Aborts when the memory is closed. */
  readonly ended: AbortSignal;
}

export interface Rooms {
  readonly tokenizer: Tokenizer;
  readonly degradations: Degradations;
  readonly keeper: IndexKeeper;
  readonly conversations: Conversations;
  /** Their short-term memories. */
  readonly memories: WorkingMemories;
  readonly learning: Learning;
  readonly usage: UsageLedger;
  readonly follower: Follower;
  readonly recaller: Recaller;
  readonly recorder: Recorder;
  readonly forgetting: Forgetting;
  readonly exporting: Exporting;
  readonly importing: Importing;
  readonly entries: EntryAccess;
  readonly undoing: EntryUndo;
  readonly evicted: EvictionQueue;
  readonly reEmbedding: ReEmbedding;
  readonly repair: EntryRepair;
  readonly compaction: Compaction;
  readonly storageWatch: StorageWatch;
}

export function joinRooms(given: LocalMemoryParts, house: House): Rooms {
  const degradations = new Degradations(given.emit);
  const parts = { ...given, emit: degradations.emit };
  const { store, options, clock, newId } = parts;
  const { timeZone } = options;
  const tokenizer = parts.tokenizer ?? defaultTokenizer;
  /** Times in other languages are a gain, not a need: without their grammar English ones are still read. */
  const prepareLanguages = (texts: readonly string[]) =>
    loadTimeLanguagesOf(texts).catch((error: unknown) => degradations.tell("time expressions", error));

  const keeper = new IndexKeeper(parts);
  const index = () => keeper.index;
  const embedder = () => keeper.embedder;
  const conversations = new Conversations({ store, entries: () => keeper.index.table });
  const memories: WorkingMemories = new WorkingMemories({
    store,
    tokenizer,
    conversations,
    local: (profile) => learning.local(profile),
  });
  const usage = new UsageLedger(store, (error) => degradations.tell("usage", error));
  const follower = new Follower({
    name: options.name,
    userId: options.userId,
    store,
    index,
    onChange: ({ revision, entryIds, removedTurnIds, ours }) => {
      if (!ours) {
        conversations.reset(removedTurnIds);
        memories.reset(removedTurnIds);
        learning.heard();
      }
      parts.emit({ type: "change", detail: { revision, entryIds } });
    },
    onHeard: () => house.inBackground(house.catchUp),
    onErased: () => house.inBackground(() => house.startOver("erased")),
    onBehind: (error) => degradations.tell("indexes", error),
    reload: house.startOver,
  });
  const marks = new ForgottenMarks({ store, newId, onMissing: (reason) => degradations.tell("forgetting", new Error(reason)) });
  const shared = { store, index, follower, usage };
  const evicted = new EvictionQueue(store);
  const intake = new Intake({
    writer: new LiteWriter({ onMissing: (error) => degradations.tell("sentence gate", error) }),
    prepareLanguages,
    timeZone,
  });
  const tell = (part: string, error: unknown) => degradations.tell(part, error);
  const locks = handleLocks(`keepsake:${JSON.stringify([options.name, options.userId])}:`);
  const learning: Learning = new Learning({
    ...shared,
    ...house,
    ...parts,
    locks,
    tell,
    rescore: (signal) => memories.rescore(signal),
  });
  const reEmbedding = new ReEmbedding({ ...parts, ...house, keeper, follower, locks, tell });
  return {
    tokenizer,
    degradations,
    reEmbedding,
    keeper,
    conversations,
    memories,
    learning,
    usage,
    follower,
    storageWatch: new StorageWatch(parts.storageState, (reason) => degradations.tell("storage", reason)),
    compaction: new Compaction({
      ...shared,
      ...house,
      locks,
      tell,
      unread: () => keeper.unread(),
      onTurnsRemoved: (ids) => {
        conversations.reset(ids);
        memories.reset(ids);
      },
    }),
    repair: new EntryRepair({ ...shared, intake, degradations, newId }),
    exporting: new Exporting({ name: options.name, store, usage, clock }),
    importing: new Importing({
      ...parts,
      marks,
      record: house.record,
      timeZone,
      backup: { ...shared, marks, inQueue: house.inQueue, wake: () => reEmbedding.wake() },
    }),
    forgetting: new Forgetting({
      ...shared,
      embedder,
      marks,
      newId,
      cascades: [
        { part: "evicted", forgetting: (...meant) => evicted.forgetting(...meant) },
        { part: "scorer", forgetting: (...meant) => learning.forgetting(...meant) },
      ],
    }),
    entries: new EntryAccess({ ...shared, keeper, clock, timeZone }),
    undoing: new EntryUndo({ ...shared, keeper }),
    evicted,
    recaller: new Recaller({
      ...parts,
      keeper,
      conversations,
      usage,
      tokenizer,
      level: house.level,
      prepareLanguages,
      onMissing: (part, reason) => degradations.tell(part, reason),
    }),
    recorder: new Recorder({
      ...shared,
      embedder,
      catchUp: async () => {
        await house.catchUp();
        conversations.reset();
      },
      intake,
      forgottenIds: (ids) => marks.forgottenIds(ids),
      eviction: new Eviction({ capacity: options.capacity, usage, queue: evicted }),
      clock,
      newId,
      timeZone,
    }),
  };
}
