import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SAMPLE_QUESTIONS } from "../../demo/sample.js";
import { DemoServer, pressOnceShown, say } from "./open-demo.js";

let demo: DemoServer;

beforeAll(async () => {
  demo = await DemoServer.start();
}, 120_000);
afterAll(() => demo?.stop());

describe("the demo page", { timeout: 60_000 }, () => {
  it("brings the right memory first for every question of the sample, and shows how it was found", async () => {
    const { page, faults } = await demo.openWithSample();
    const wrong: string[] = [];
    for (const [index, { question, expects }] of SAMPLE_QUESTIONS.entries()) {
      await page.getByRole("button", { name: question, exact: true }).click();
      const answer = page.locator(".answer").nth(index);
      await answer.waitFor();
      const first = page.getByRole("tabpanel", { name: "Recall" }).getByRole("listitem").first();
      const [said, shown] = [await answer.locator(".said").innerText(), await first.innerText()];
      if (!said.includes(expects) || !shown.includes(expects)) wrong.push(`${question} → ${said}`);
    }
    expect(wrong).toEqual([]);

    await say(page, "What is the codeword now?");
    const panel = (name: string) => page.getByRole("tabpanel", { name });
    await expect.poll(() => panel("Recall").getByLabel("Recalled block").innerText()).toContain("lighthouse");
    await page.getByRole("tab", { name: "Plan" }).click();
    await expect.poll(() => panel("Plan").innerText()).toContain("your own words");
    await page.getByRole("tab", { name: "Candidates" }).click();
    const rows = panel("Candidates").getByRole("row");
    await expect.poll(() => rows.count()).toBeGreaterThan(10);
    await expect.poll(() => rows.nth(1).innerText()).toContain("yes");
    await page.getByRole("button", { name: "Score" }).click();
    await page.getByRole("button", { name: "Score" }).click();
    const scores = await panel("Candidates").locator("tbody td:nth-child(2)").allInnerTexts();
    expect(scores.map(Number)).toEqual(scores.map(Number).sort((a, b) => a - b));
    await page.getByRole("tab", { name: "Time" }).click();
    expect(
      await panel("Time")
        .getByRole("img", { name: /deadline of 150 ms/ })
        .count(),
    ).toBe(1);
    expect(faults).toEqual([]);
  });

  it("tells what was kept and what was not, and recalls it after a reload", async () => {
    const { page, faults } = await demo.open();
    const reply = await say(page, "My locker at the climbing gym has the number B-2291. Can you believe it?");
    expect(reply).toContain("Kept as");
    await page.reload();
    await page.getByRole("log").getByText("My locker at the climbing gym").waitFor();
    expect(await say(page, "Which number has my locker?")).toContain("B-2291");
    expect(faults).toEqual([]);
  });

  it("shows markup in a memory as the text that it is", async () => {
    const { page, faults } = await demo.open();
    const text = 'My favourite tag is <img src="x" onerror="document.title=1"> since 2019.';
    await say(page, text);
    await say(page, "What is my favourite tag?");
    await page.getByRole("tab", { name: "Memories" }).click();
    await page.getByRole("tabpanel", { name: "Memories" }).getByText(text).first().waitFor();
    await expect.poll(() => page.locator("img[src=x]").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it("deletes a memory after showing what goes with it, and it stays gone after a reload", async () => {
    const { page, faults } = await demo.openWithSample();
    await say(page, "What am I allergic to?");
    await page.getByRole("tab", { name: "Memories" }).click();
    await page.getByRole("searchbox", { name: "Search" }).fill("walnuts");
    const list = page.getByRole("tabpanel", { name: "Memories" });
    await list.getByText("All 1 that match").waitFor();
    await list.getByRole("button", { name: /^Delete:/ }).click();
    const dialog = page.getByRole("dialog", { name: "Delete this memory?" });
    await expect.poll(() => dialog.innerText()).toContain("Messages (1)");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("found nothing of them").waitFor();
    await list.getByText("Nothing matches").waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe("tabpanel");
    await page.reload();
    await page.getByRole("group", { name: "Questions to try" }).waitFor();
    await expect.poll(() => page.getByText(/no walnuts ever again/).count()).toBe(0);
    expect(await say(page, "What am I allergic to?")).not.toContain("walnuts");
    expect(faults).toEqual([]);
  });

  it("keeps pins and corrections over a reload", async () => {
    const { page, faults } = await demo.openWithSample();
    await page.getByRole("tab", { name: "Memories" }).click();
    await page.getByRole("searchbox", { name: "Search" }).fill("aunt Gerda can't");
    await page.getByText("All 1 that match").waitFor();
    await page.getByRole("button", { name: /^Pin:/ }).click();
    await page.getByRole("button", { name: /^Unpin:/ }).waitFor();
    await page.getByRole("button", { name: /^Edit:/ }).click();
    const dialog = page.getByRole("dialog", { name: "Correct this memory" });
    await dialog.getByLabel("What it says").fill("The seating plan is for 66 guests by now.");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.reload();
    await page.getByRole("tab", { name: "Memories" }).click();
    await page.getByLabel("Pinned only").check();
    const list = page.getByRole("list", { name: "Memories" });
    await list.getByText("The seating plan is for 66 guests by now.").waitFor();
    await expect.poll(() => list.locator(":scope > li").count()).toBe(1);
    expect(await say(page, "How many guests are in the seating plan?")).toContain("66 guests");
    expect(faults).toEqual([]);
  });

  it("keeps what was typed when a correction cannot be stored, and says why", async () => {
    const { page } = await demo.open();
    await say(page, "My locker at the climbing gym has the number B-2291.");
    await page.getByRole("tab", { name: "Memories" }).click();
    await page.getByRole("button", { name: /^Edit:/ }).click();
    const dialog = page.getByRole("dialog", { name: "Correct this memory" });
    await dialog.getByLabel("What it says").fill("My locker is B-2292.");
    const other = await page.context().newPage();
    await other.goto(demo.url);
    await other.getByRole("tab", { name: "Memories" }).click();
    await other.getByRole("button", { name: /^Delete:/ }).click();
    await other.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await other.getByText("found nothing of them").waitFor();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("alert").getByText("It may have been deleted in another tab").waitFor();
    await expect.poll(() => dialog.getByLabel("What it says").inputValue()).toBe("My locker is B-2292.");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByText("0 memories", { exact: true }).waitFor();
  });

  it("shows a second user nothing of the first", async () => {
    const { page, faults } = await demo.openWithSample();
    await page.getByRole("tab", { name: "Storage" }).click();
    await page.getByLabel("Memory of").selectOption("guest");
    await page.getByRole("heading", { name: "Nothing is remembered yet" }).waitFor();
    expect(await say(page, "What is the codeword now?")).toContain("I remember nothing about that yet");
    await page.getByRole("tab", { name: "Memories" }).click();
    await page.getByText("Nothing is stored yet").waitFor();
    await page.reload();
    await page.getByText("0 memories", { exact: true }).waitFor();
    await page.getByRole("tab", { name: "Storage" }).click();
    await page.getByLabel("Memory of").selectOption("me");
    await page.getByRole("group", { name: "Questions to try" }).waitFor();
    expect(await say(page, "What is the codeword now?")).toContain("lighthouse");
    expect(faults).toEqual([]);
  });

  it("stops loading the sample on demand and goes on from there", async () => {
    const { page, faults } = await demo.open();
    await pressOnceShown(page, "Stop");
    await page.getByRole("button", { name: "Load the sample conversation" }).click();
    await page.getByText("Cancelled.").waitFor();
    await page.getByRole("tab", { name: "Storage" }).click();
    await page.getByRole("button", { name: "Load the sample", exact: true }).click();
    await page.getByText("The sample is loaded").waitFor();
    await page.getByText("They're married!").waitFor();
    expect(faults).toEqual([]);
  });

  it("erases everything after asking", async () => {
    const { page, faults } = await demo.openWithSample();
    await page.getByRole("tab", { name: "Storage" }).click();
    await page.getByRole("button", { name: "Erase everything" }).click();
    const dialog = page.getByRole("dialog", { name: "Erase everything?" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(() => page.getByText("0 memories", { exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Erase everything" }).click();
    await dialog.getByRole("button", { name: "Erase everything" }).click();
    await page.getByRole("heading", { name: "Nothing is remembered yet" }).waitFor();
    await page.getByText("0 memories", { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it("goes on working off line", async () => {
    const { page, faults } = await demo.openWithSample();
    await page.context().setOffline(true);
    expect(await say(page, "What did the vet say about Mogli?")).toContain("thyroid");
    expect(await say(page, "The vet wants to see Mogli again on 9 July.")).toContain("Kept as");
    await page.getByRole("tab", { name: "Storage" }).click();
    await page.getByRole("button", { name: "Rebuild indexes" }).click();
    await page.getByText("The indexes were rebuilt").waitFor();
    expect(faults).toEqual([]);
  });

  it("says what to do when the memory cannot be opened, and opens it at the next try", async () => {
    const { page } = await demo.open();
    const context = page.context();
    await context.route(/embeddings\.bin/, (route) => route.fulfill({ status: 404 }));
    await page.goto(demo.url);
    const alert = page.getByRole("alert");
    await alert.getByRole("heading", { name: "The memory could not be opened" }).waitFor();
    await expect.poll(() => alert.innerText()).toContain("Check that the page's own server can be reached");
    await context.unrouteAll();
    await alert.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Nothing is remembered yet" }).waitFor();
  });
});
