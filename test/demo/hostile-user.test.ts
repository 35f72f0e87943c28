import { afterAll, beforeAll, expect, it } from "vitest";
import { DemoServer, say } from "./open-demo.js";

/** As long as the page takes a name. */
const USER = "../../etc/<script>ran=1</script>C:\\";
const TEXT = `My vault is behind <img src=x onerror="globalThis.ran = true"> in javascript:globalThis.ran=true at ../../etc/passwd.`;

let demo: DemoServer;
beforeAll(async () => {
  demo = await DemoServer.start();
}, 120_000);
afterAll(() => demo?.stop());

it("saves the backup of a user whose name is a path and a script under a harmless name, and shows it as text", async () => {
  const { page, faults } = await demo.open();
  await page.getByRole("tab", { name: "Storage" }).click();
  await page.getByLabel("Or a new user").fill(USER);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await expect.poll(() => page.getByLabel("Memory of").inputValue()).toBe(USER);
  await say(page, TEXT);
  await page.getByRole("tab", { name: "Storage" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save a backup" }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toMatch(/^memory-of-[\p{L}\p{N}-]+-\d{4}-\d\d-\d\d\.keepsake$/u);

  await page.getByLabel("Memory of").selectOption("guest");
  await page.getByRole("heading", { name: "Nothing is remembered yet" }).waitFor();
  await page.getByRole("tab", { name: "Storage" }).click();
  await page.getByLabel("Backup file").setInputFiles(await saved.path());
  await page.getByText("1 memory and 1 message came back.").waitFor();
  await page.getByRole("tab", { name: "Memories" }).click();
  await page.getByText("../../etc/passwd").first().waitFor();
  expect(await page.evaluate("globalThis.ran")).toBeUndefined();
  expect(faults).toEqual([]);
});
