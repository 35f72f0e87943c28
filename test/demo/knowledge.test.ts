/** The Knowledge tab in a real browser: the graph grows from the sample, a node shows what it rests on, and batches say what left. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DemoServer } from "./open-demo.js";

let demo: DemoServer;

beforeAll(async () => {
  demo = await DemoServer.start();
}, 120_000);
afterAll(() => demo?.stop());

describe("the Knowledge tab", { timeout: 60_000 }, () => {
  it("draws what the sample teaches, and shows what a node rests on", async () => {
    const { page, faults } = await demo.openWithSample();
    await page.getByRole("tab", { name: "Knowledge" }).click();
    const panel = page.getByRole("tabpanel", { name: "Knowledge" });
    await panel.getByText("Nothing yet").waitFor();
    await panel.getByRole("button", { name: "Consolidate now" }).click();
    const nodes = panel.getByRole("list").first().getByRole("button");
    await nodes.first().waitFor();
    expect(await nodes.count()).toBeGreaterThan(5);
    await panel.locator(".graph canvas").first().waitFor();
    await panel.getByText("Nothing left this device.").first().waitFor();
    const name = await nodes.first().innerText();
    await nodes.first().click();
    await panel.getByText(/rests on [1-9]/).waitFor();
    expect(await panel.locator(".card .said").first().innerText()).toBe(name);
    expect(await panel.locator("blockquote").count()).toBeGreaterThan(0);
    await panel.getByRole("button", { name: "Show all" }).click();
    await panel.getByText("nodes and").waitFor();
    expect(faults).toEqual([]);
  });
});
