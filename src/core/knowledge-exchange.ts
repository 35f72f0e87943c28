/** General knowledge out to other devices and in from them. */

import type { BackendOptions } from "../backend.js";
import { UserIds } from "../ltm/identity-marks.js";
import {
  type importedRows,
  knowledgeFile,
  readKnowledge,
  importedRows as rowsOf,
  soundKnowledge,
} from "../ltm/knowledge-file.js";
import { nodeId } from "../ltm/node-id.js";
import { KnownNames } from "../ltm/scrub/known-names.js";
import type { CallOptions, Clock, Store } from "../ports.js";
import type { ImportedKnowledge, KnowledgeFile } from "../types.js";
import { untilSettled } from "./conflict.js";
import { ConsolidationJobs } from "./consolidation-jobs.js";
import type { Follower } from "./follower.js";
import { KnownPeople } from "./known-people.js";
import type { MemoryIndex } from "./memory-index.js";
import { nameTagger } from "./name-tagging.js";
import { sourcesOf, supportersOf } from "./outbound-graph.js";
import { pause } from "./pause.js";
import { PersonNodes } from "./person-nodes.js";

/** Nodes read at a time, and rows written at a time. */
const PAGE = 500;
/** Edges of a node that are looked at for circles. */
const EDGES = 64;

export interface KnowledgeExchangeParts {
  readonly store: Store;
  readonly index: () => MemoryIndex;
  readonly follower: Follower;
  readonly clock: Clock;
  readonly options: Pick<BackendOptions, "userId">;
  readonly nameModel?: (() => Promise<ArrayBuffer>) | undefined;
  /** Runs a task between the writes of this handle, level with the store. */
  readonly between: <T>(task: () => Promise<T>) => Promise<T>;
  readonly catchUp: () => Promise<void>;
}

export class KnowledgeExchange {
  readonly #parts: KnowledgeExchangeParts;
  readonly #jobs: ConsolidationJobs;
  readonly #ids: UserIds;

  constructor(parts: KnowledgeExchangeParts) {
    this.#parts = parts;
    this.#jobs = new ConsolidationJobs(parts.store);
    this.#ids = new UserIds([parts.options.userId]);
  }

  /** What at least so many users of the database say, without a trace of who; what the detectors of this device find stays.
   * @throws what loading the name tagger throws */
  async export(minUsers: number, { signal }: CallOptions): Promise<KnowledgeFile> {
    const { store } = this.#parts;
    const persons = await this.#persons();
    const nodes: KnowledgeFile["nodes"][number][] = [];
    const edges: KnowledgeFile["edges"][number][] = [];
    for (let after: string | undefined; ; ) {
      signal?.throwIfAborted();
      const page = await store.graph({
        common: { minUsers, limit: PAGE, withEdges: true, ...(after !== undefined && { after }) },
      });
      const supporters = await supportersOf(
        this.#parts,
        page.common.map(({ id }) => id),
      );
      for (const node of page.common) {
        const { id, type, name, statement, confidence } = node;
        if (this.#ids.isIn(`${name}\n${statement ?? ""}`)) continue;
        if (persons.speaksOfSomebody(node) || persons.comesFromName(node, sourcesOf(supporters.get(id)))) continue;
        nodes.push({ id, type, name, confidence, ...(statement !== undefined && { statement }) });
      }
      for (const { from, to, type, confidence } of page.edges) edges.push({ from, to, type, confidence });
      after = page.common.at(-1)?.id;
      if (page.common.length < PAGE) break;
      await pause();
    }
    const out = new Set(nodes.map(({ id }) => id));
    return knowledgeFile(
      nodes,
      edges.filter(({ from, to }) => out.has(from) && out.has(to)),
    );
  }

  /** @throws TypeError | RangeError for what is no file of knowledge; what loading the name tagger throws; the signal's reason, and what was
   * written before stays */
  async import(file: unknown, { signal }: CallOptions): Promise<ImportedKnowledge> {
    const { store } = this.#parts;
    const read = readKnowledge(file);
    const persons = await this.#persons();
    const known = await this.#near(read.nodes, signal);
    // A node comes as its name, and its statement below.
    const identifies = (text: string): boolean => {
      const [name = "", ...statement] = text.split("\n");
      return this.#ids.isIn(text) || persons.speaksOfSomebody({ name, statement: statement.join("\n") });
    };
    const { nodes, edges, refused } = soundKnowledge(read, known, identifies);
    const done = { nodes: 0, edges: 0 };
    for (let from = 0; from < nodes.length; from += PAGE) {
      const page = nodes.slice(from, from + PAGE);
      const ids = page.map(({ id }) => id);
      done.nodes += (await this.#put({ nodes: page, edges: [] }, () => store.graph({ nodes: ids }), signal)).nodes.length;
    }
    for (let from = 0; from < edges.length; from += PAGE) {
      const page = edges.slice(from, from + PAGE);
      const ids = page.map(({ from: start, type, to }) => `${start} ${type} ${to}`);
      done.edges += (await this.#put({ nodes: [], edges: page }, () => store.graph({ edges: ids }), signal)).edges.length;
    }
    return { ...done, refused };
  }

  /** What is stored of the file's nodes, with their edges. */
  async #near(nodes: readonly unknown[], signal: AbortSignal | undefined) {
    const { store } = this.#parts;
    const found = {
      nodes: [] as Awaited<ReturnType<Store["graph"]>>["nodes"][number][],
      edges: [] as Awaited<ReturnType<Store["graph"]>>["edges"][number][],
    };
    const ids = nodes.flatMap((node) => {
      const { type, name, statement } = (node ?? {}) as Readonly<Record<string, unknown>>;
      const isNamed = typeof type === "string" && typeof name === "string" && typeof (statement ?? name) === "string";
      return isNamed ? [nodeId({ type: type as "Concept", name, statement: String(statement ?? "") }, "general")] : [];
    });
    for (let from = 0; from < ids.length; from += PAGE) {
      signal?.throwIfAborted();
      const page = ids.slice(from, from + PAGE);
      const part = await store.graph({ nodes: page, edgesOf: page, limit: EDGES });
      found.nodes.push(...part.nodes);
      found.edges.push(...part.edges);
    }
    return found;
  }

  #put(
    rows: Parameters<typeof importedRows>[0],
    stored: () => Promise<Parameters<typeof importedRows>[1]>,
    signal: AbortSignal | undefined,
  ): Promise<ReturnType<typeof importedRows>> {
    const { store, follower, clock, between } = this.#parts;
    return between(() =>
      untilSettled(async () => {
        signal?.throwIfAborted();
        const { cycle } = await this.#jobs.row();
        const graph = rowsOf(rows, await stored(), { cycle, now: clock.now() });
        if (graph.nodes.length + graph.edges.length > 0)
          await follower.committed(await store.write({ graph, expectStore: follower.applied }, { signal }), new Map(), []);
        return graph;
      }, this.#parts.catchUp),
    );
  }

  async #persons(): Promise<PersonNodes> {
    const [people, tagger] = await Promise.all([new KnownPeople(this.#parts.index).all(), nameTagger(this.#parts.nameModel)]);
    return new PersonNodes(new KnownNames(people), tagger);
  }
}
