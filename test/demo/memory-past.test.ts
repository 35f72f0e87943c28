import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DemoServer, say } from "./open-demo.js";

let demo: DemoServer;
beforeAll(async () => {
  demo = await DemoServer.start();
}, 120_000);
afterAll(() => demo.stop());

describe("the past of a memory on the demo page", () => {
  it("shows what took its place and what it said before, and takes both back", { timeout: 120_000 }, async () => {
    const { page, faults } = await demo.open({ viewport: { width: 1200, height: 1100 } });
    await say(page, "My dentist is in Kirchgasse. I keep bees on the roof.");
    await say(page, "Actually, my dentist is in Bahnhofstrasse, not Kirchgasse.");
    await page.getByRole("tab", { name: "Memories" }).click();
    const list = page.getByRole("list", { name: "Memories" });
    const over = list.getByRole("listitem").filter({ hasText: "until" }).first();
    await over.getByText("What became of it").click();
    await over.getByText("Its place took").getByText("Bahnhofstrasse").waitFor();
    // What is said meanwhile draws the list anew, and what was opened stays open.
    await say(page, "My neighbour plays the cello.");
    await list.getByText("neighbour plays").first().waitFor();
    await expect.poll(() => over.getByText("Its place took").isVisible()).toBe(true);
    const bees = list.locator("li.card").filter({ hasText: "bees" });
    await bees.getByRole("button", { name: /^Edit:/ }).click();
    const dialog = page.getByRole("dialog", { name: "Correct this memory" });
    await dialog.getByLabel("What it says").fill("I keep bees in the yard.");
    await dialog.getByRole("button", { name: "Save" }).click();
    await bees.filter({ hasText: "yard" }).getByText("What became of it").click();
    await bees.getByText("It said:").getByText("on the roof").waitFor();
    await bees.getByRole("button", { name: /^Undo edit:/ }).click();
    await bees.filter({ hasText: "on the roof" }).waitFor();
    await list.getByRole("button", { name: /^Undo correction:/ }).click();
    await expect.poll(() => list.getByText(/^until /).count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
