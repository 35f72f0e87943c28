/** Opens a consumer's page in a fresh browser profile and reads what it recalled. */

import { type Browser, chromium } from "playwright";
import { CHROME_FLAGS, ensureChrome } from "../../scripts/chrome.mjs";

/** What the page left in `globalThis.outcome` (app/remember.js), and what it took. */
export interface Visit {
  readonly outcome: {
    readonly text?: string;
    readonly first?: string;
    readonly vectorIndex?: string;
    readonly worker?: boolean;
    /** Parts that run in a lesser form, as `stats` lists them. */
    readonly degraded?: readonly string[];
    readonly error?: string;
  };
  /** "200 /path" of every response; another origin's with its whole URL. */
  readonly responses: readonly string[];
  /** Errors that the page or its workers logged. */
  readonly errors: readonly string[];
}

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: ensureChrome(), args: [...CHROME_FLAGS] });
}

export async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext();
  const { origin } = new URL(url);
  const responses: string[] = [];
  const errors: string[] = [];
  context.on("response", (response) => {
    const target = new URL(response.url());
    responses.push(`${response.status()} ${target.origin === origin ? target.pathname : target.href}`);
  });
  context.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  context.on("weberror", (error) => errors.push(String(error.error())));
  try {
    const page = await context.newPage();
    const response = await page.goto(url);
    if (!response?.ok()) throw new Error(`${url} answered ${response?.status() ?? "nothing"}`);
    const outcome = await page
      .waitForFunction(() => (globalThis as { outcome?: unknown }).outcome, null, { timeout: 60_000 })
      .then((handle) => handle.jsonValue() as Promise<Visit["outcome"]>)
      .catch((error: unknown) => ({ error: `no outcome: ${[String(error), ...errors].join("; ")}` }));
    return { outcome, responses, errors };
  } finally {
    await context.close();
  }
}
