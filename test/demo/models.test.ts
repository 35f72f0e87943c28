/** The Models tab in a real browser, without a graphics device: what is offered, why it does not run here, and who plays the roles. */

import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DemoServer, say } from "./open-demo.js";

let demo: DemoServer;

beforeAll(async () => {
  demo = await DemoServer.start();
}, 120_000);
afterAll(() => demo?.stop());

describe("the Models tab", { timeout: 60_000 }, () => {
  it("offers models with size, licence and fit, and fetches nothing by itself", async () => {
    const { page, faults } = await demo.open();
    await page.getByRole("tab", { name: "Models" }).click();
    const panel = page.getByRole("tabpanel", { name: "Models" });
    const row = panel.getByRole("listitem").filter({ hasText: "Llama 3.2 1B" }).first();
    await row.waitFor();
    await expect
      .poll(() => row.innerText())
      .toMatch(/710 MB to download\s+Llama 3\.2 Community\s+(?:Fits|Does not fit) this device/);
    await expect.poll(() => panel.getByText("rules, without a model").count()).toBe(3);
    await expect.poll(() => panel.getByText("no model is attached").count()).toBe(3);
    await expect.poll(() => panel.getByRole("button", { name: "Load the browser's own model" }).isDisabled()).toBe(true);
    expect(faults).toEqual([]);
  });

  it("tells which model is kept on this device, and removes it after a question", async () => {
    const { page, faults } = await demo.open();
    await keepModel(page);
    await page.getByRole("tab", { name: "Models" }).click();
    const panel = page.getByRole("tabpanel", { name: "Models" });
    const kept = panel.getByRole("listitem").filter({ hasText: "On this device, about" });
    await kept.filter({ hasText: "SmolLM2 360M, full precision" }).getByText("about 210 MB").waitFor();
    await expect.poll(() => kept.count()).toBe(1);
    const remove = panel.getByRole("button", { name: "Remove SmolLM2 360M, full precision from this device" });
    await remove.click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await expect.poll(() => weightsKept(page)).toBe(1);
    await remove.click();
    const dialog = page.getByRole("dialog", { name: "Remove SmolLM2 360M, full precision from this device?" });
    await dialog.getByRole("button", { name: "Remove", exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByText("SmolLM2 360M, full precision is no longer on this device.").waitFor();
    await expect.poll(() => kept.count()).toBe(0);
    await expect.poll(() => weightsKept(page)).toBe(0);
    expect(faults).toEqual([]);
  });

  it("says in the plan who did it", async () => {
    const { page } = await demo.open();
    await say(page, "I live in Ghent.");
    await say(page, "Where do I live?");
    await page.getByRole("tab", { name: "Plan" }).click();
    const plan = await page.getByRole("tabpanel", { name: "Plan" }).innerText();
    expect(plan).toMatch(/Planned by\s+rules, without a model/);
    expect(plan).toMatch(/Selected by\s+rules, without a model/);
  });
});

/** Puts a model with one piece of weights where WebLLM keeps those that it has fetched. */
function keepModel(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const folder = "https://huggingface.co/mlc-ai/SmolLM2-360M-Instruct-q4f32_1-MLC/resolve/main/";
    const cache = await caches.open("webllm/model");
    await cache.put(`${folder}tensor-cache.json`, Response.json({ records: [{ dataPath: "params_shard_0.bin" }] }));
    await cache.put(`${folder}params_shard_0.bin`, new Response("weights"));
  });
}

function weightsKept(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const kept = await (await caches.open("webllm/model")).keys();
    return kept.filter(({ url }) => url.endsWith(".bin")).length;
  });
}
