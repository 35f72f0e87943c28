/** Makes the parts of a memory in this thread and gives each what it needs of the others. */

import type { ConversationRef } from "../backend.js";
import type { CallOptions, Tokenizer } from "../ports.js";
import { loadTimeLanguagesOf } from "../text/time-cues.js";
import { defaultTokenizer } from "../text/tokens.js";
import type { TurnInput, Written } from "../types.js";
import { Compaction } from "./compaction.js";
import { Conversations } from "./conversations.js";
import { Degradations } from "./degradations.js";
import { EntryAccess } from "./entry-access.js";
import { Follower } from "./follower.js";
import { handleLocks } from "./handle-locks.js";
import { IndexKeeper } from "./index-keeper.js";
import { KnowledgeDesk } from "./knowledge-desk.js";
import { lazily } from "./lazily.js";
import { Learning } from "./learning.js";
import type { LocalMemoryParts } from "./local-memory-parts.js";
import { ModelDesk } from "./model-desk.js";
import { ReEmbedding } from "./re-embedding.js";
import { Recaller } from "./recaller.js";
import { StorageWatch } from "./storage-watch.js";
import { UsageLedger } from "./usage-ledger.js";
import { WorkingMemories } from "./working-memories.js";
import type { WritingRooms } from "./writing-rooms.js";

/** What the parts ask of the memory that holds them. */
export interface House {
  /** Brings indexes level with the store; only inside the write queue. */
  readonly catchUp: () => Promise<void>;
  /** The same from a reader, who does not wait behind a long write. */
  readonly level: () => Promise<void>;
  /** Through the write queue. */
  readonly record: (ref: ConversationRef, turn: TurnInput, call: CallOptions & { readonly isOld?: true }) => Promise<Written>;
  /** Loads everything anew, after an erasure or where the journal was compacted. */
  readonly startOver: (why: "erased" | "behind") => Promise<void>;
  /** Runs a task in the write queue; its failure is told as a degradation. */
  readonly inBackground: (task: () => Promise<void>) => void;
  /** Runs a task in the write queue. */
  readonly inQueue: <T>(task: () => Promise<T>) => Promise<T>;
  /** Aborts when the memory is closed. */
  readonly ended: AbortSignal;
}

/** What opening, recalling and looking need. */
export interface ReadingRooms {
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
  readonly entries: EntryAccess;
  readonly reEmbedding: ReEmbedding;
  readonly compaction: Compaction;
  readonly storageWatch: StorageWatch;
  readonly model: ModelDesk;
  readonly knowledge: KnowledgeDesk;
}

export interface Rooms extends ReadingRooms {
  /** What writes, forgets, imports and exports; rejects with MemoryError "asset-unavailable" where it cannot be loaded. */
  readonly writing: () => Promise<WritingRooms>;
  /** Makes good what reads came upon; only inside the write queue. */
  readonly mend: (signal: AbortSignal) => Promise<void>;
  /** After the memory has ended; nothing works in the background when it resolves. */
  readonly close: () => Promise<unknown>;
}

export function joinRooms(given: LocalMemoryParts, house: House): Rooms {
  const degradations = new Degradations(given.emit);
  const parts = { ...given, emit: degradations.emit };
  const { store, options } = parts;
  const tokenizer = parts.tokenizer ?? defaultTokenizer;
  /** Times in other languages are a gain, not a need: without their grammar English ones are still read. */
  const prepareLanguages = (texts: readonly string[]) =>
    loadTimeLanguagesOf(texts).catch((error: unknown) => degradations.tell("time expressions", error));

  const keeper = new IndexKeeper(parts);
  const index = () => keeper.index;
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
  const shared = { store, index, follower, usage };
  const tell = (part: string, error: unknown) => degradations.tell(part, error);
  const locks = (parts.locks ?? handleLocks)(`keepsake:${JSON.stringify([options.name, options.userId])}:`);
  const learning: Learning = new Learning({
    ...shared,
    ...house,
    ...parts,
    locks,
    tell,
    rescore: (signal) => memories.rescore(signal),
  });
  const reEmbedding = new ReEmbedding({ ...parts, ...house, keeper, follower, locks, tell });
  const model = new ModelDesk({ ...parts, ...house, keeper, follower, tell });
  const knowledge = new KnowledgeDesk({
    ...shared,
    ...house,
    ...parts,
    locks,
    tell,
    unreadMs: () => rooms.recaller.unreadMs,
    between: (task) =>
      house.inQueue(async () => {
        await house.catchUp();
        return task();
      }),
  });
  const rooms: ReadingRooms = {
    knowledge,
    tokenizer,
    model,
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
    entries: new EntryAccess(shared),
    recaller: new Recaller({
      ...parts,
      keeper,
      conversations,
      usage,
      model,
      tokenizer,
      level: house.level,
      graphRevision: () => follower.shaken,
      prepareLanguages,
      onMissing: (part, reason) => degradations.tell(part, reason),
    }),
  };
  const writingParts = { ...parts, rooms, prepareLanguages };
  const writing = lazily(async () => (await import("./writing-rooms.js")).joinWritingRooms(writingParts, house));
  return {
    ...rooms,
    writing,
    close: () => Promise.all([reEmbedding.close(), rooms.compaction.close(), knowledge.close(), learning.close(), model.close()]),
    mend: async (signal) => {
      if (index().aside.size === 0 && !(await store.damaged()).some(({ kind }) => kind !== "vectors")) return;
      // A memory whose damage cannot be mended yet still answers; the next time tries again.
      const loaded = await writing().catch((error: unknown) => tell("entries", error));
      await loaded?.repair.mend(signal);
    },
  };
}
