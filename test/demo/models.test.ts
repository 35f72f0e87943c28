/** The Models tab in a real browser, without a graphics device: what is offered, why it does not run here, and who plays the roles. */

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
    const row = panel.getByRole("row").filter({ hasText: "Llama 3.2 1B" }).first();
    await row.waitFor();
    await expect.poll(() => row.innerText()).toMatch(/710 MB\s+Llama 3\.2 Community/);
    await expect.poll(() => panel.getByText("rules, without a model").count()).toBe(3);
    await expect.poll(() => panel.getByText("no model is attached").count()).toBe(3);
    await expect.poll(() => panel.getByRole("button", { name: "Load the browser's own model" }).isDisabled()).toBe(true);
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
