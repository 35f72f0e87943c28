/** The drawing of a part of the graph: nodes as large as they are sure, laid out by their edges. Loaded when the tab is first seen. */

import { DirectedGraph } from "graphology";
import layout from "graphology-layout-forceatlas2";
import type { KnowledgePart } from "keepsake";
import Sigma from "sigma";

/** Its types speak of a default export, and its code is the function itself. */
const forceAtlas2 = layout as unknown as typeof layout.default;

/** Rounds of the layout: a hundred nodes have settled by then, in some tens of milliseconds. */
const ROUNDS = 120;
const SIZE = { least: 4, gain: 12 };

export interface Drawing {
  draw(part: KnowledgePart): void;
  close(): void;
}

/** @throws where the page has no WebGL */
export function createDrawing(container: HTMLElement, onPick: (id: string) => void): Drawing {
  const graph = new DirectedGraph();
  const style = getComputedStyle(container);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const sigma = new Sigma(graph, container, {
    allowInvalidContainer: true,
    defaultEdgeColor: colour("--soft"),
    labelColor: { color: colour("--ink") },
    labelDensity: 0.7,
  });
  sigma.on("clickNode", ({ node }) => onPick(node));
  return {
    draw({ nodes, edges }) {
      graph.clear();
      for (const [at, { id, name, scope, confidence }] of nodes.entries()) {
        // On a ring first: the same graph is drawn the same way every time.
        const angle = (2 * Math.PI * at) / nodes.length;
        graph.addNode(id, {
          label: name,
          x: Math.cos(angle),
          y: Math.sin(angle),
          size: SIZE.least + SIZE.gain * confidence,
          color: colour(scope === "own" ? "--accent" : "--mark"),
        });
      }
      for (const { from, to } of edges)
        if (graph.hasNode(from) && graph.hasNode(to) && !graph.hasEdge(from, to)) graph.addEdge(from, to);
      forceAtlas2.assign(graph, { iterations: ROUNDS, settings: forceAtlas2.inferSettings(graph) });
      sigma.refresh();
    },
    close: () => sigma.kill(),
  };
}
