/** The consolidation worker with an endpoint of its own: its name says how that answers. */

import "../../workers/consolidation.worker.js";

const OPERATIONS = JSON.stringify({
  addNode: [{ id: "a", type: "Concept", name: "rooibos", statement: "a drink for the night", support: [1] }],
  update: [],
  addEdge: [],
  merge: [],
  discard: [2],
});
const asked = new BroadcastChannel("rigged-consolidation");

function said(content: string): Response {
  const piece = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const body = `${piece({ role: "assistant", content }, null)}${piece({}, "stop")}data: [DONE]\n\n`;
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

const ANSWERS: Readonly<Record<string, () => Response | Promise<Response>>> = {
  willing: () => said(OPERATIONS),
  prose: () => said("I am sorry, but I cannot help with that."),
  half: () => said('{"addNode":[{"id":"a","na'),
  busy: () => new Response('{"error":{"message":"slow down"}}', { status: 429, headers: { "retry-after": "90" } }),
  foreign: () => Promise.reject(new TypeError("Failed to fetch")),
  silent: () => new Promise<Response>(() => undefined),
};

globalThis.fetch = async (input, init) => {
  const request = new Request(input, { ...init, signal: null });
  asked.postMessage({ url: request.url, body: await request.text() });
  return (ANSWERS[self.name] ?? ANSWERS.willing)!();
};
