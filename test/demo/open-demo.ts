/** The demo page in a real Chromium, served by Vite as `npm start` does. */

import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright";
import { createServer, type ViteDevServer } from "vite";
import { CHROME_FLAGS, findChrome } from "../../scripts/chrome.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));

export interface Demo {
  readonly page: Page;
  /** Errors of the console and the page, and requests to another origin: there should be none. */
  readonly faults: readonly string[];
}

export interface DemoOptions extends BrowserContextOptions {
  /** Prepares the profile before it opens the page, such as by a script that runs first. */
  readonly before?: (context: BrowserContext) => Promise<unknown>;
}

export class DemoServer {
  readonly #server: ViteDevServer;
  readonly #browser: Browser;
  readonly url: string;

  private constructor(server: ViteDevServer, browser: Browser, url: string) {
    this.#server = server;
    this.#browser = browser;
    this.url = url;
  }

  static async start(): Promise<DemoServer> {
    const server = await createServer({
      configFile: `${root}vite.config.ts`,
      root: `${root}demo`,
      // Apart from the one that a person at work on the page may have running.
      cacheDir: `${root}node_modules/.vite-demo-test`,
      server: { port: 0, hmr: false, open: false },
      logLevel: "error",
    });
    await server.listen();
    const url = server.resolvedUrls?.local[0];
    const executablePath = findChrome();
    const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: CHROME_FLAGS });
    if (!url) throw new Error("the demo's server tells no address");
    return new DemoServer(server, browser, url);
  }

  /** The page in a profile of its own, empty. */
  async open({ before, ...options }: DemoOptions = {}): Promise<Demo> {
    const context = await this.#browser.newContext(options);
    await before?.(context);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("request", (request) => {
      if (!/^(?:blob|data):/.test(request.url()) && new URL(request.url()).origin !== new URL(this.url).origin)
        faults.push(request.url());
    });
    await page.goto(this.url);
    await page.getByRole("heading", { level: 1, name: "Keepsake" }).waitFor();
    return { page, faults };
  }

  /** The same with the sample loaded. */
  async openWithSample(options: DemoOptions = {}): Promise<Demo> {
    const demo = await this.open(options);
    await demo.page.getByRole("button", { name: "Load the sample conversation" }).click();
    await demo.page.getByRole("group", { name: "Questions to try" }).waitFor();
    return demo;
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    await this.#server.close();
  }
}

/** Has the page itself press this button the moment it appears: what it stops may be over before a driver has seen it. */
export async function pressOnceShown(page: Page, label: string): Promise<void> {
  await page.evaluate((wanted) => {
    const observer = new MutationObserver(() => {
      const shown = [...document.querySelectorAll("button")].find(
        (button) => button.textContent === wanted && button.checkVisibility(),
      );
      if (!shown) return;
      observer.disconnect();
      shown.click();
    });
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
  }, label);
}

/** Types a message, sends it, and waits for the reply.
 * @returns the reply's text */
export async function say(page: Page, text: string): Promise<string> {
  const replies = page.locator(".answer");
  const before = await replies.count();
  await page.getByLabel("Message").fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const reply = replies.nth(before);
  await reply.waitFor();
  return reply.innerText();
}
