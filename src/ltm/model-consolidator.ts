/** Consolidation by a model of any engine: asks for operations by schema, and gives them on to be looked at one by one. */

import { MemoryError } from "../errors.js";
import type { ConsolidateCall, ConsolidationBatch, GraphOperation, SlmEngine, TokenUsage } from "../ports.js";
import { consolidatorAnswer, consolidatorMessages, consolidatorReading } from "../slm/prompts/consolidator.js";
import { StructuredAsker } from "../slm/structured/ask.js";
import { estimateTokens } from "../text/tokens.js";

const MAX_TOKENS = 2_000;

/** @throws what the engine throws; MemoryError "model-failed" for an answer without operations, such as a refusal in prose: its `details`
 * tell the tokens that it took all the same */
export async function consolidateWith(
  engine: SlmEngine,
  batch: ConsolidationBatch,
  { signal, onUsage }: ConsolidateCall,
): Promise<readonly GraphOperation[]> {
  const labels = new Labels(batch);
  const spent = { promptTokens: 0, completionTokens: 0 };
  const counted = countingEngine(engine, (usage) => {
    spent.promptTokens += usage.promptTokens;
    spent.completionTokens += usage.completionTokens;
    onUsage?.(usage);
  });
  const answer = await new StructuredAsker(counted).ask({
    messages: consolidatorMessages(labels.batch),
    schema: consolidatorReading,
    asks: consolidatorAnswer,
    maxTokens: MAX_TOKENS,
    ...(signal && { signal }),
  });
  if (!answer.ok)
    throw new MemoryError(
      "model-failed",
      `${engine.id} gave no operations (${answer.reason}): "${answer.raw.slice(0, 120)}"; the batch waits and can be tried again`,
      { details: spent },
    );
  const { addNode, addEdge, merge, update, discard } = answer.value;
  // What is wrong in one of them is refused with that one; nothing here trusts its shape.
  return [
    ...addNode.map((one) => {
      const { id, type, name, statement, support } = fieldsOf(one);
      return { type: "addNode", node: { id: labels.added(id), type, name, statement }, support };
    }),
    ...update.map((one) => {
      const { id, statement, support } = fieldsOf(one);
      return { type: "update", id: labels.idOf(id), statement, support };
    }),
    ...addEdge.map((one) => {
      const { from, to, type, support } = fieldsOf(one);
      return { type: "addEdge", from: labels.idOf(from), to: labels.idOf(to), edge: type, support };
    }),
    ...merge.map((one) => {
      const { from, into } = fieldsOf(one);
      return { type: "merge", from: labels.idOf(from), into: labels.idOf(into) };
    }),
    ...discard.map((fragment) => ({ type: "discard", fragment, reason: "the model" })),
  ] as unknown as readonly GraphOperation[];
}

/** The engine, with an account of each call that it answers: as it counts, or as is estimated. */
function countingEngine(engine: SlmEngine, tell: (usage: TokenUsage) => void): SlmEngine {
  return {
    id: engine.id,
    get capabilities() {
      return engine.capabilities;
    },
    complete: async (messages, options) => {
      const answer = await engine.complete(messages, options);
      const prompt = () => estimateTokens(messages.map(({ content }) => content).join("\n"));
      const { text, promptTokens = prompt(), completionTokens = estimateTokens(text) } = answer;
      tell({ promptTokens, completionTokens });
      return answer;
    },
    close: () => engine.close(),
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** Short names of the nodes that a model sees: long ids cost tokens and come back misspelt. */
class Labels {
  readonly batch: ConsolidationBatch;
  readonly #ids: ReadonlyMap<unknown, string>;
  readonly #added = new Set<unknown>();

  constructor(batch: ConsolidationBatch) {
    const labels = new Map(batch.nodes.map(({ id }, at) => [id, `n${at + 1}`]));
    const labelOf = (id: string) => labels.get(id) ?? id;
    this.#ids = new Map([...labels].map(([id, label]) => [label, id]));
    this.batch = {
      ...batch,
      nodes: batch.nodes.map((node) => ({ ...node, id: labelOf(node.id) })),
      edges: batch.edges.map((edge) => ({ ...edge, from: labelOf(edge.from), to: labelOf(edge.to) })),
    };
  }

  /** The id of a new node, also where the model took a label for it that another has. */
  added(label: unknown): unknown {
    this.#added.add(label);
    return typeof label === "string" ? `new ${label}` : label;
  }

  idOf(label: unknown): unknown {
    return this.#added.has(label) ? `new ${String(label)}` : (this.#ids.get(label) ?? label);
  }
}
