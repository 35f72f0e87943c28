/** The Knowledge tab in a real browser: the graph grows from the sample, a node shows what it rests on, and batches say what left. */

import type { ConsolidationJob } from "keepsake";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bodyOf, type RunningServer, serve } from "../slm/openai-server.js";
import { DemoServer } from "./open-demo.js";

let demo: DemoServer;

beforeAll(async () => {
  demo = await DemoServer.start();
}, 120_000);
afterAll(() => demo?.stop());

it("shows on the card of a batch what left the device, what would, and what did not", { timeout: 60_000 }, async () => {
  const cards: readonly (readonly [Partial<ConsolidationJob>, RegExp])[] = [
    [{ consolidator: "lite", state: "committed", attempts: 1 }, /Nothing left this device\.$/],
    // Declined, or beyond the limit of a day.
    [{ state: "waiting", attempts: 0, outbound: ["tea"] }, /What would leave this device/],
    [{ state: "waiting", attempts: 2, outbound: ["tea"] }, /2 attempts.*What left this device/],
    [{ state: "committed", attempts: 1, outbound: ["tea"] }, /What left this device/],
    // A memory of it was forgotten.
    [{ state: "committed", attempts: 1 }, /What left this device is not kept any more/],
    [{ state: "queued", attempts: 0 }, /Nothing has left this device yet\.$/],
    [{ state: "failed", attempts: 0 }, /Nothing left this device\.$/],
  ];
  const { page } = await demo.open();
  for (const [job, words] of cards) {
    const whole = { id: "a", consolidator: "model", createdAt: 1, updatedAt: 1, entryIds: [], ...job };
    // As text, since what transforms this file would transform an import in a function too.
    const card = `import("/page/knowledge-jobs.ts").then(({ jobCard }) => jobCard(${JSON.stringify(whole)}).textContent)`;
    expect(await page.evaluate(card)).toMatch(words);
  }
});

describe("the Knowledge tab", { timeout: 60_000 }, () => {
  it("draws what the sample teaches, and shows what a node rests on", async () => {
    const { page, faults } = await demo.openWithSample();
    await page.getByRole("tab", { name: "Knowledge" }).click();
    const panel = page.getByRole("tabpanel", { name: "Knowledge" });
    await panel.getByText("Nothing yet").waitFor();
    await panel.getByRole("button", { name: "Consolidate now" }).click();
    const nodes = panel.getByRole("list").first().getByRole("button");
    await expect.poll(() => nodes.count(), { timeout: 30_000 }).toBeGreaterThan(5);
    await page.getByText(/consolidated; the graph has/).waitFor();
    await panel.locator(".graph canvas").first().waitFor();
    await panel.getByText("Nothing left this device.").first().waitFor();
    const name = await nodes.first().innerText();
    await panel.getByRole("button", { name, exact: true }).click();
    await panel.getByText(/rests on [1-9]/).waitFor();
    await expect.poll(() => panel.locator(".card .said").first().innerText()).toBe(name);
    await expect.poll(() => panel.locator("blockquote").count()).toBeGreaterThan(0);
    await panel.getByRole("button", { name: "Show all" }).click();
    await panel.getByText("nodes and").waitFor();
    expect(faults).toEqual([]);
  });

  it("lets a model on this machine consolidate once every text was shown, and then tells what left and what came back", async () => {
    const sent: string[] = [];
    const server = await modelServer(sent);
    const { page, faults } = await demo.openWithSample();
    await page.getByRole("tab", { name: "Knowledge" }).click();
    const panel = page.getByRole("tabpanel", { name: "Knowledge" });
    const begin = async () => {
      await panel.getByRole("button", { name: "Let a model consolidate" }).click();
      await page.getByLabel("Server on this machine").fill(`${server.url}/v1`);
      await page.getByLabel("Its name of the model").fill("tiny");
      await page.getByRole("button", { name: "Agree, and show me the first" }).click();
      await page.getByRole("heading", { name: /^Send \d+ texts\?$/ }).waitFor();
    };
    await begin();
    await page.getByRole("button", { name: "Cancel" }).click();
    await panel.getByText("the person did not let it go").waitFor();
    await panel.getByText("What would leave this device").waitFor();
    expect(await panel.getByText("What left this device").count()).toBe(0);
    expect(sent).toEqual([]);
    await begin();
    server.hold = true;
    const held = page.getByRole("dialog").getByRole("button", { name: "Send" });
    await held.click();
    await expect.poll(() => sent.length).toBe(1);
    await panel.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Cancelled.").waitFor();
    server.hold = false;
    await begin();
    const shown = await page.getByLabel("What would be sent").getByRole("listitem").allInnerTexts();
    const asked = page.getByRole("dialog").getByRole("button", { name: "Send" });
    const done = page.getByText(/[1-9]\d* (?:memory was|memories were) consolidated; the graph has/);
    do {
      await asked.click();
      await done.or(asked).first().waitFor();
    } while ((await asked.count()) > 0);
    await panel.getByRole("button", { name: "night drinks" }).waitFor();
    expect(shown.length).toBeGreaterThan(3);
    for (const text of shown) expect(sent.join("\n")).toContain(JSON.stringify(text).slice(1, -1));
    await panel.getByText("What came back, as it came").first().click();
    await panel.getByText("night drinks keep people warm").first().waitFor();
    expect(await panel.getByText("What would leave this device").count()).toBe(0);
    await panel.getByText("What left this device").first().waitFor();
    // Nothing went anywhere else.
    expect(faults.filter((fault) => !fault.startsWith(server.url))).toEqual([]);
    await server.close();
  });
});

/** Answers every batch with one node, and while `hold` is set not at all. @param sent takes what it was asked */
async function modelServer(sent: string[]): Promise<RunningServer & { hold: boolean }> {
  const node = { id: "a", type: "Concept", name: "night drinks", statement: "night drinks keep people warm", support: [1] };
  const content = JSON.stringify({ addNode: [node] });
  const server = await serve((request, response) => {
    const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
    if (request.method === "OPTIONS") return response.writeHead(204, headers).end();
    void bodyOf(request).then(({ messages }) => {
      sent.push(messages.map((message) => message.content).join("\n"));
      if (held.hold) return;
      response.writeHead(200, { ...headers, "content-type": "text/event-stream" });
      const choices = [{ index: 0, delta: { role: "assistant", content }, finish_reason: "stop" }];
      response.end(`data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", choices })}\n\ndata: [DONE]\n\n`);
    });
    return undefined;
  });
  const held = Object.assign(server, { hold: false });
  return held;
}
