/** The Models tab with a model at work: what its exam found, how fast it is, which answers it had a part in, and how it goes again. */

import type { Locator, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserModel } from "./browser-model.js";
import { DemoServer, say } from "./open-demo.js";

let demo: DemoServer;

beforeAll(async () => {
  demo = await DemoServer.start();
}, 120_000);
afterAll(() => demo?.stop());

describe("the Models tab with the browser's own model", { timeout: 120_000 }, () => {
  it("shows its exam's figures and reasons, leaves the roles to the rules where it is not better, and lets it go", async () => {
    const { page, faults } = await demo.open({ before: browserModel("none") });
    const panel = await examined(page);
    await expect.poll(() => factOf(panel, "Model")).toMatch(/^prompt-api\/\S/);
    await expect.poll(() => factOf(panel, "Runs on")).toBe("the browser's own model");
    await expect.poll(() => factOf(panel, "Context")).toBe("6,000 tokens");
    await expect.poll(() => factOf(panel, "Speed")).toMatch(/^[\d,]+(?:\.\d)? tokens a second$/);
    await expect.poll(() => factOf(panel, "Asked")).toMatch(/^[1-9]\d* times, [1-9]\d* tokens written$/);
    await expect.poll(() => factOf(panel, "Since its exam")).toBe("no answer yet");
    for (const role of ["Plans the search", "Selects memories", "Writes memories"]) {
      const card = panel.locator(".card").filter({ hasText: role });
      await card.getByText("rules, without a model").waitFor();
      await expect.poll(() => card.innerText()).toMatch(/the model, by writing: 0\.00, rules: 0\.\d\d\s+\d+ items, \d+ ms each/);
      await expect.poll(() => card.innerText()).toMatch(/it gains nothing: −0\.\d\d over lite's .*answers could not be used/);
    }
    await panel.getByText("The exam is over").waitFor();
    await panel.getByRole("button", { name: "Take it away" }).press("Enter");
    await expect.poll(() => panel.getByText("no model is attached").count()).toBe(3);
    await expect.poll(() => factOf(panel, "Model")).toBe("none");
    await expect.poll(() => panel.getByText("The exam is over").count()).toBe(0);
    await expect.poll(() => panel.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("gives it the role that it earned, says so of each answer, and is without it after a reload", async () => {
    const { page, faults } = await demo.open({ before: browserModel("plans") });
    await say(page, "I live in Ghent.");
    const panel = await examined(page);
    const planner = panel.locator(".card").filter({ hasText: "Plans the search" });
    await planner.locator(".kind").getByText("the model, by writing").waitFor();
    await expect
      .poll(() => planner.innerText())
      .toMatch(/it gains \+0\.\d\d over lite's 0\.\d\d on 24 items, at least \+0\.\d\d/);
    const selector = panel.locator(".card").filter({ hasText: "Selects memories" });
    await selector.locator(".kind").getByText("rules, without a model").waitFor();

    // On a busy machine an answer may be too late for its recall.
    const plan = page.getByRole("tabpanel", { name: "Plan" });
    await page.getByRole("tab", { name: "Plan" }).click();
    await expect
      .poll(
        async () => {
          await say(page, "Where do I live?");
          return plan.innerText();
        },
        { interval: 1_000, timeout: 60_000 },
      )
      .toMatch(/Planned by\s+the model, by writing\s+Selected by\s+rules, without a model/);
    await plan.locator(".card").filter({ hasText: "I live in Ghent." }).getByText("a possible answer").waitFor();
    await page.getByRole("tab", { name: "Models" }).click();
    await planner.getByText(/^[1-9]\d* in time/).waitFor();
    await expect.poll(() => factOf(panel, "Since its exam")).toMatch(/^of [1-9]\d* answers?: [1-9]\d* as they were/);

    await page.reload();
    await page.getByRole("tab", { name: "Models" }).click();
    await expect.poll(() => panel.getByText("no model is attached").count()).toBe(3);
    await page.getByRole("tab", { name: "Plan" }).click();
    expect(await say(page, "Where do I live?")).toContain("Ghent");
    await expect.poll(() => plan.innerText()).toMatch(/Planned by\s+rules, without a model/);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

/** Loads the browser's own model and waits until it has sat its exam. @returns the Models tab */
async function examined(page: Page): Promise<Locator> {
  await page.getByRole("tab", { name: "Models" }).click();
  const panel = page.getByRole("tabpanel", { name: "Models" });
  await panel.getByRole("button", { name: "Load the browser's own model" }).click();
  await expect.poll(() => factOf(panel, "State"), { timeout: 60_000 }).toBe("ready");
  return panel;
}

/** @returns what the tab says of the model by this name, or "" where it says nothing */
async function factOf(panel: Locator, term: string): Promise<string> {
  const [fact = ""] = await panel.locator(`dt:text-is("${term}") + dd`).allInnerTexts();
  return fact;
}
