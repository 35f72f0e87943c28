import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DemoServer, say } from "./open-demo.js";

let demo: DemoServer;

beforeAll(async () => {
  demo = await DemoServer.start();
}, 120_000);
afterAll(() => demo?.stop());

const TABS = ["Recall", "Plan", "Candidates", "Time", "Context", "Memories", "Knowledge", "Models", "Storage"];

describe("access to the demo page", { timeout: 60_000 }, () => {
  it("needs no mouse", async () => {
    const { page, faults } = await demo.open();
    const press = (key: string) => page.keyboard.press(key);
    const focusOn = async (name: RegExp) => {
      for (let step = 0; step < 40; step += 1) {
        await press("Tab");
        if (name.test(await focusedName(page))) return;
      }
      throw new Error(`Tab never reaches ${name}`);
    };
    await focusOn(/^Load the sample conversation$/);
    await press("Enter");
    await page.getByRole("group", { name: "Questions to try" }).waitFor();
    await focusOn(/^Message$/);
    await page.keyboard.type("What is my new address?");
    await press("Enter");
    await page.locator(".answer").waitFor();
    await focusOn(/^Recall$/);
    for (const name of [...TABS.slice(1), "Recall"]) {
      await press("ArrowRight");
      await expect.poll(() => focusedName(page)).toBe(name);
    }
    await press("End");
    for (const name of ["Models", "Knowledge", "Memories"]) {
      await press("ArrowLeft");
      await expect.poll(() => focusedName(page)).toBe(name);
    }
    await page
      .getByRole("button", { name: /^Delete:/ })
      .first()
      .waitFor();
    await focusOn(/^Delete:/);
    await press("Enter");
    await page.getByRole("dialog").waitFor();
    await expect.poll(() => focusedName(page)).toBe("Cancel");
    await press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await expect.poll(() => focusedName(page)).toMatch(/^Delete:/);
    expect(faults).toEqual([]);
  });

  it("names every control, fits a phone, and has a contrast of 4.5 for every text, light and dark", async () => {
    const { page } = await demo.openWithSample({ hasTouch: true });
    await say(page, "I was at the dentist on 3 July. Thanks!");
    await say(page, "When is my sister's wedding?");
    for (const [width, colorScheme] of [
      [1280, "light"],
      [340, "dark"],
    ] as const) {
      await page.setViewportSize({ width, height: 740 });
      await page.emulateMedia({ colorScheme });
      for (const tab of TABS) {
        await page.getByRole("tab", { name: tab }).click();
        const panel = page.getByRole("tabpanel", { name: tab });
        await panel.locator(":is(li, dd, td, p):visible").first().waitFor();
        await expect.poll(() => page.evaluate(nameless), { message: tab }).toEqual([]);
        await expect.poll(() => page.evaluate(faintTexts), { message: tab }).toEqual([]);
        await expect
          .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), { message: tab })
          .toBeLessThanOrEqual(0);
        // Beside each other, chat and inspector scroll by themselves.
        const below = () => page.evaluate(() => (innerWidth > 860 ? document.documentElement.scrollHeight - innerHeight : 0));
        await expect.poll(below, { message: tab }).toBeLessThanOrEqual(0);
      }
    }
  });
});

function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement)) return "";
    const label =
      element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement
        ? element.labels?.[0]?.textContent
        : undefined;
    return (element.getAttribute("aria-label") ?? label ?? element.textContent ?? "").trim();
  });
}

/** Runs in the page: controls, pictures and scrolling boxes without a name, and ids used twice. */
function nameless(): string[] {
  const found: string[] = [];
  const visible = (element: Element) => element.getClientRects().length > 0;
  for (const element of document.querySelectorAll(
    "button, a, summary, [role=tab], [role=tabpanel], [role=img], [role=region], [role=log], meter, progress",
  )) {
    const by = element.getAttribute("aria-labelledby");
    const name = element.getAttribute("aria-label") ?? (by ? document.getElementById(by)?.textContent : element.textContent);
    if (visible(element) && !name?.trim()) found.push(`no name: ${element.outerHTML.slice(0, 120)}`);
  }
  for (const field of document.querySelectorAll<HTMLInputElement>("input, select, textarea"))
    if (visible(field) && !field.labels?.length && !field.getAttribute("aria-label"))
      found.push(`no label: ${field.outerHTML.slice(0, 120)}`);
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) found.push(`id twice: ${id}`);
  for (const landmark of ["main", "header"])
    if (document.querySelectorAll(landmark).length !== 1) found.push(`not one ${landmark}`);
  return found;
}

/** Runs in the page: texts whose contrast with the ground below them is under 4.5 (WCAG 2.2 AA). */
function faintTexts(): string[] {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!canvas) throw new Error("no canvas");
  const channels = (colour: string): number[] => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([r = 0, g = 0, b = 0]: readonly number[]) => {
    const [x = 0, y = 0, z = 0] = [r, g, b].map((value) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const groundOf = (element: Element | null): number[] => {
    for (let at = element; at; at = at.parentElement) {
      const ground = channels(getComputedStyle(at).backgroundColor);
      if (ground[3] === 255) return ground;
    }
    return [255, 255, 255, 255];
  };
  const faint = new Set<string>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!element || !node.textContent?.trim() || element.getClientRects().length === 0 || element.closest(":disabled")) continue;
    const [a, b] = [luminance(channels(getComputedStyle(element).color)), luminance(groundOf(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5)
      faint.add(`${contrast.toFixed(2)} ${element.tagName}.${element.className}: ${node.textContent.slice(0, 40)}`);
  }
  return [...faint];
}
