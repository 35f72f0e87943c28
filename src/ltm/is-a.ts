/** Which kinds lie above which: so that no circle is closed. */

import type { GraphEdge } from "../ports.js";

type Link = Pick<GraphEdge, "from" | "type" | "to">;

export class IsALinks {
  readonly #kinds = new Map<string, Set<string>>();
  readonly #unexplored: ReadonlySet<string>;

  /** @param unexplored nodes of which not all kinds are among the edges: anything may lie above them */
  constructor(edges: Iterable<Link>, unexplored: ReadonlySet<string> = new Set()) {
    this.#unexplored = unexplored;
    for (const edge of edges) this.add(edge);
  }

  /** Edges of other types are passed over. */
  add({ from, type, to }: Link): void {
    if (type !== "IsA") return;
    const known = this.#kinds.get(from);
    if (known) known.add(to);
    else this.#kinds.set(from, new Set([to]));
  }

  remove({ from, type, to }: Link): void {
    if (type === "IsA") this.#kinds.get(from)?.delete(to);
  }

  /** Whether an edge from the one to the other would close a circle, as far as that is known: where it is not, it would. */
  wouldClose(from: string, to: string): boolean {
    return this.#leads([to], from);
  }

  /** Whether the two as one node would lie above themselves; what lies between them alone is no circle but no edge any more. */
  wouldCloseAsOne(one: string, other: string): boolean {
    const both = new Set([one, other]);
    const above = [...this.#kindsOf(one), ...this.#kindsOf(other)].filter((id) => !both.has(id));
    return this.#leads(above, one) || this.#leads(above, other);
  }

  #leads(starts: Iterable<string>, to: string): boolean {
    const seen = new Set(starts);
    for (const id of seen) {
      if (id === to || this.#unexplored.has(id)) return true;
      for (const kind of this.#kindsOf(id)) seen.add(kind);
    }
    return false;
  }

  #kindsOf(id: string): Iterable<string> {
    return this.#kinds.get(id) ?? [];
  }
}
