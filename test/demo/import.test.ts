import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chatGptConversation, node } from "../chat-imports/read.js";
import { zipOf } from "../chat-imports/zip-of.js";
import { DemoServer } from "./open-demo.js";

let demo: DemoServer;

beforeAll(async () => {
  demo = await DemoServer.start();
}, 120_000);
afterAll(() => demo?.stop());

function chatGptZip(): Buffer {
  const conversation = chatGptConversation(
    [
      node("s", null, "You are helpful.", { role: "system" }),
      node("a", "s", "My barge is called Holtwater.", { at: 1_750_000_001 }),
      node("b", "a", "A fine name.", { role: "assistant", at: 1_750_000_009 }),
      node("c", "a", "Otterly is better.", { role: "assistant", at: 1_750_000_005 }),
      node("d", "b", "I have a heron tattoo on my left calf.", { at: 1_750_000_020 }),
    ],
    { current_node: "d" },
  );
  return Buffer.from(zipOf({ "conversations-000.json": JSON.stringify([conversation]), "user.json": "{}" }));
}

describe("importing on the demo page", { timeout: 90_000 }, () => {
  it("takes a zipped export from the file picker, reports what came of it, and forgets a topic for good", async () => {
    const { page, faults } = await demo.open();
    const zip = { name: "chatgpt.zip", mimeType: "application/zip", buffer: chatGptZip() };
    await page.getByRole("button", { name: "Import a chat export" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Import a chat export" });
    await dialog.getByLabel("Choose an export, or drop it here").setInputFiles(zip);
    await dialog.getByText("of which 3 were recorded now").waitFor();
    const report = await dialog.innerText();
    expect(report).toContain("ChatGPT");
    expect(report).toContain("1 are instructions of the app");
    expect(report).toContain("1 were replaced by an edit or another reply");
    await dialog.getByRole("button", { name: "Close" }).click();

    await page.getByRole("tab", { name: "Memories" }).click();
    const memories = page.getByRole("tabpanel", { name: "Memories" });
    await memories.getByText("heron").first().waitFor();
    await memories.getByRole("button", { name: "Forget a topic" }).click();
    await page.getByLabel("What shall be forgotten?").fill("my tattoo");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    const preview = page.getByRole("dialog", { name: "Forget “my tattoo”?" });
    await expect.poll(() => preview.innerText()).toContain("heron tattoo");
    await preview.getByRole("button", { name: "Forget" }).click();
    await page.getByText("found nothing of them").waitFor();
    await expect.poll(() => memories.innerText()).not.toContain("heron");
    await expect.poll(() => memories.innerText()).toContain("Holtwater");

    await page.getByRole("tab", { name: "Storage" }).click();
    await page.getByRole("button", { name: "Import a chat export" }).first().click();
    await dialog.getByLabel("Choose an export, or drop it here").setInputFiles(zip);
    await dialog.getByText("you had forgotten").waitFor();
    await expect.poll(() => dialog.innerText()).toContain("of which 0 were recorded now");
    expect(faults).toEqual([]);
  });

  it("takes what is dropped, says what it cannot read, and stops on demand", async () => {
    const { page, faults } = await demo.open();
    await page.getByRole("button", { name: "Import a chat export" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Import a chat export" });
    const files = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(
        new File(['{"role":"user","content":"I plant beans in May.","at":1772359200000}\n{"role":'], "beans.jsonl"),
      );
      transfer.items.add(new File(["once upon a time"], "tale.txt"));
      return transfer;
    });
    await dialog.locator(".drop").dispatchEvent("drop", { dataTransfer: files });
    await dialog.getByRole("heading", { name: "tale.txt" }).waitFor();
    const report = await dialog.innerText();
    expect(report).toContain("1 part could not be read");
    expect(report).toContain("is no chat export that can be read");

    const lines = Array.from({ length: 20_000 }, (_, at) =>
      JSON.stringify({
        id: at,
        role: "user",
        content: `I noted the reading ${at * 7} of gauge ${at % 97}.`,
        at: 1_772_359_200_000 + at,
      }),
    );
    const long = { name: "long.jsonl", mimeType: "application/json", buffer: Buffer.from(lines.join("\n")) };
    await dialog.getByLabel("Choose an export, or drop it here").setInputFiles(long);
    await dialog.getByText(/long\.jsonl: [1-9]/).waitFor();
    await dialog.getByRole("button", { name: "Stop" }).click();
    await dialog.getByText("importing the file again goes on from there").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    expect(faults).toEqual([]);
  });
});
