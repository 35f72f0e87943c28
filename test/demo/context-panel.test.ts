import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DemoServer, say } from "./open-demo.js";

let demo: DemoServer;

beforeAll(async () => {
  demo = await DemoServer.start();
}, 120_000);
afterAll(() => demo?.stop());

/** Kept and left-out turns, and the tokens used, as the panel's summary tells them. */
async function summary(page: Page): Promise<{ kept: number; of: number; left: number; tokens: number }> {
  const text = await page.getByRole("tabpanel", { name: "Context" }).getByRole("status").innerText();
  const [kept = 0, of = 0, left = 0, tokens = 0] = (text.replaceAll(",", "").match(/\d+/g) ?? []).map(Number);
  return { kept, of, left, tokens };
}

async function openContext(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Context" }).click();
  await page.locator(".context-row").first().waitFor();
}

async function setBudget(page: Page, tokens: number): Promise<void> {
  await page.getByLabel("Budget").fill(String(tokens));
  await page.locator(".budget-output", { hasText: /^[\d,]+ tokens$/ }).waitFor();
  await expect.poll(async () => (await summary(page)).tokens).toBeLessThanOrEqual(tokens);
}

describe("the Context tab", { timeout: 60_000 }, () => {
  it("draws every turn with its score, and keeps fewer of them the smaller the budget is", async () => {
    const { page, faults } = await demo.openWithSample();
    await openContext(page);
    const turns = await page.locator(".context-row").count();
    expect((await summary(page)).of).toBe(turns);
    let before = Number.POSITIVE_INFINITY;
    for (const budget of [1_500, 700, 200, 0]) {
      await setBudget(page, budget);
      const now = await summary(page);
      expect(now.kept).toBeLessThan(before);
      expect(now.kept + now.left).toBe(turns);
      await expect.poll(() => page.locator(".context-row.left").count()).toBe(now.left);
      before = now.kept;
    }
    expect(before).toBe(0);
    for (const number of await page.locator(".probability").allInnerTexts()) expect(Number(number)).toBeLessThanOrEqual(1);
    expect(faults).toEqual([]);
  });

  it("lists the values that outlive the turns they stood in", async () => {
    const { page } = await demo.openWithSample();
    await openContext(page);
    await setBudget(page, 400);
    const values = await page.locator(".ledger code").allInnerTexts();
    expect(values.length).toBeGreaterThan(0);
    const left = (await page.locator(".context-row.left").allInnerTexts()).join("\n");
    for (const value of values) expect(left).toContain(value);
  });

  it("shows which features spoke when a turn is opened, from the keyboard alone", async () => {
    const { page } = await demo.openWithSample();
    await openContext(page);
    const units = page.locator(".unit");
    await units.first().focus();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowUp");
    const chosen = units.nth((await units.count()) - 2);
    expect(await chosen.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    await expect.poll(() => chosen.getAttribute("aria-expanded")).toBe("true");
    const rows = page.locator(".terms:not([hidden]) tbody tr");
    await expect.poll(() => rows.count()).toBeGreaterThan(3);
    const says = (await rows.locator("td.number").allInnerTexts()).map((text) => Number(text.replace("−", "-")));
    const sizes = says.map(Math.abs);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    await page.keyboard.press("Space");
    await expect.poll(() => chosen.getAttribute("aria-expanded")).toBe("false");
    // One stop for Tab, however many turns there are.
    await expect.poll(() => page.locator(".unit[tabindex='0']").count()).toBe(1);
  });

  it("takes in what is said while it is open, and keeps the turn that was opened open", async () => {
    const { page } = await demo.openWithSample();
    await openContext(page);
    const turns = await page.locator(".context-row").count();
    await page.locator(".unit").first().click();
    await say(page, "I was at the dentist on 3 July. Thanks!");
    await expect.poll(() => page.locator(".context-row").count()).toBeGreaterThan(turns);
    await expect.poll(() => page.locator(".unit").first().getAttribute("aria-expanded")).toBe("true");
    await expect.poll(() => page.locator(".context-row").last().innerText()).toContain("dentist");
  });

  it("says what it is for before anything was told", async () => {
    const { page } = await demo.open();
    await page.getByRole("tab", { name: "Context" }).click();
    const panel = page.getByRole("tabpanel", { name: "Context" });
    await panel.getByText("Tell something").waitFor();
    await expect.poll(() => panel.getByLabel("Budget").isVisible()).toBe(false);
  });
});
