import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DemoServer, pressOnceShown, say } from "./open-demo.js";

let demo: DemoServer;

beforeAll(async () => {
  demo = await DemoServer.start();
}, 120_000);
afterAll(() => demo?.stop());

/** @returns the path of the file that was saved */
async function saveBackup(page: Page, password = ""): Promise<string> {
  await page.getByRole("tab", { name: "Storage" }).click();
  await page.getByLabel("Password (optional)").fill(password);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save a backup" }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toMatch(/^memory-of-me-\d{4}-\d\d-\d\d\.keepsake$/);
  return saved.path();
}

/** What is said in the reply. */
async function answerTo(page: Page, question: string): Promise<string> {
  await say(page, question);
  return page.locator(".answer").last().locator(".said").innerText();
}

/** What was forgotten would stay so, so another user restores. */
async function switchToGuest(page: Page): Promise<void> {
  await page.getByLabel("Memory of").selectOption("guest");
  await page.getByRole("heading", { name: "Nothing is remembered yet" }).waitFor();
  await page.getByRole("tab", { name: "Storage" }).click();
}

describe("the backup of the demo page", { timeout: 120_000 }, () => {
  it("is saved as a file that gunzip reads, and restored for another user with every answer", async () => {
    const { page, faults } = await demo.openWithSample();
    const question = "What is my locker number at the gym, and who is coming to dinner?";
    const answer = await answerTo(page, question);
    const path = await saveBackup(page);
    await page.getByText(/^The backup is saved: /).waitFor();
    expect(gunzipSync(readFileSync(path)).toString()).toContain("lighthouse");
    await switchToGuest(page);
    await page.getByLabel("Backup file").setInputFiles(path);
    await page.getByText(/[1-9]\d* memories and [1-9]\d* messages came back\.$/).waitFor();
    // Restored memories are embedded in the background.
    await expect.poll(() => answerTo(page, question), { timeout: 20_000 }).toBe(answer);
    // Again it adds nothing.
    await page.getByLabel("Backup file").setInputFiles(path);
    await page.getByText(/0 memories and 0 messages came back; \d+ messages were here already/).waitFor();
    expect(faults).toEqual([]);
  });

  it("asks for the password that it was saved with", async () => {
    const { page } = await demo.open();
    await say(page, "My locker at the climbing gym has the number B-2291.");
    const path = await saveBackup(page, "correct horse");
    await page.getByText(/encrypted\.$/).waitFor();
    await switchToGuest(page);
    await page.getByLabel("Password (optional)").fill("another");
    await page.getByLabel("Backup file").setInputFiles(path);
    await page.getByText("Type the password that the backup was saved with.").waitFor();
    await page.getByLabel("Password (optional)").fill("correct horse");
    await page.getByLabel("Backup file").setInputFiles(path);
    await page.getByText("1 memory and 1 message came back.").waitFor();
  });

  it("says where a file is damaged, and takes what comes before when the person asks for it", async () => {
    const { page } = await demo.openWithSample();
    const path = await saveBackup(page);
    await page.getByText(/^The backup is saved: /).waitFor();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, bytes.length - 40));
    await switchToGuest(page);
    await page.getByLabel("Backup file").setInputFiles(path);
    const alert = page.getByRole("alert").filter({ hasText: "damaged" });
    await alert.waitFor();
    await expect.poll(() => alert.innerText()).toMatch(/from byte \d+ on/);
    await page.getByText("0 memories", { exact: true }).waitFor();
    await alert.getByRole("button", { name: "Restore what comes before" }).click();
    await page.getByText(/came back; the rest of the file is damaged/).waitFor();
    expect(await answerTo(page, "Who is Mogli?")).toContain("Mogli");
  });

  it("can be stopped", async () => {
    const { page, faults } = await demo.openWithSample();
    await page.getByRole("tab", { name: "Storage" }).click();
    // Deriving the key takes long enough to stop it.
    await page.getByLabel("Password (optional)").fill("correct horse");
    await pressOnceShown(page, "Stop");
    await page.getByRole("button", { name: "Save a backup" }).click();
    await page.getByText("Cancelled.").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Save a backup" }).isEnabled()).toBe(true);
    expect(faults).toEqual([]);
  });
});
