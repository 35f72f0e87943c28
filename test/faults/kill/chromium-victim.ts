/** A whole Chromium on a profile that is kept, all of its processes killed at once. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, existsSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { CHROME_FLAGS, ensureChrome } from "../../../scripts/chrome.mjs";
import type { LifeMessage, LifeOrder } from "./life.js";
import { groupEnded } from "./processes.js";
import { tearLogs } from "./torn-logs.js";
import type { Life, Victim } from "./victim.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const PAGE = "test/faults/kill/page.html";
/** Of so many kills one is made to have come in the middle of a write, which on a quiet machine is rare. */
const TORN_EVERY = 5;
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
};

/** One life at a time, since there is one profile, of one database. */
interface Current {
  database: string;
  order: LifeOrder | undefined;
  hear: (message: LifeMessage) => void;
}

export async function openChromiumVictim(): Promise<Victim> {
  const chrome = ensureChrome();
  const folder = await mkdtemp(join(tmpdir(), "keepsake-faults-"));
  const site = join(folder, "site");
  await build({
    root,
    base: "./",
    configFile: false,
    logLevel: "error",
    worker: { format: "es" },
    build: { outDir: site, emptyOutDir: true, target: "es2022", rollupOptions: { input: join(root, PAGE) } },
  });
  const profile = join(folder, "profile");
  const before = join(folder, "before");
  const stored = (of: string) => join(of, "Default", "IndexedDB");
  const current: Current = { database: "", order: undefined, hear: () => undefined };
  const server = createServer((request, response) => {
    answer(request, response, site, current).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${PAGE}`;

  return {
    kind: "chromium",
    processes: 1,
    handles: 2,
    async start(order: LifeOrder, hear: (message: LifeMessage) => void): Promise<Life> {
      // What an earlier database left behind cannot be what a fault comes from.
      if (order.database !== current.database) await removed(profile);
      Object.assign(current, { database: order.database, order, hear });
      // A browser that finds its files damaged removes them.
      await removed(before);
      if (existsSync(stored(profile))) await cp(stored(profile), before, { recursive: true });
      const browser = spawn(
        chrome,
        [
          ...CHROME_FLAGS,
          "--headless=new",
          "--hide-crash-restore-bubble",
          "--disable-breakpad",
          `--user-data-dir=${profile}`,
          address,
        ],
        // A group of its own, which can be killed as a whole.
        { detached: process.platform !== "win32", stdio: "ignore" },
      );
      const ended = once(browser, "exit").then(([code, signal]) => `the browser ended with ${signal ?? code}`);
      return {
        ended,
        async kill() {
          killTree(browser);
          await ended;
          if (browser.pid !== undefined) await groupEnded(browser.pid);
          if (order.seed % TORN_EVERY === 0) await tearLogs(stored(profile));
          // What it had sent is answered, then its connections end.
          while ((await connections(server)) > 0) await new Promise((resolve) => setTimeout(resolve, 2));
        },
      };
    },
    async keep(to) {
      await cp(stored(profile), join(to, "after"), { recursive: true });
      if (existsSync(before)) await cp(before, join(to, "before"), { recursive: true });
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await removed(folder);
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, site: string, current: Current): Promise<void> {
  const path = new URL(request.url ?? "/", "http://localhost").pathname;
  if (path === "/order") {
    const { order } = current;
    current.order = undefined;
    response.statusCode = order ? 200 : 410;
    response.end(order && JSON.stringify(order));
  } else if (path === "/told") {
    current.hear(JSON.parse(await text(request)) as LifeMessage);
    response.end();
  } else {
    const file = normalize(join(site, path));
    if (!file.startsWith(site) || !existsSync(file)) response.statusCode = 404;
    if (response.statusCode === 404) response.end();
    else {
      response.setHeader("Content-Type", TYPES[extname(file)] ?? "application/octet-stream");
      createReadStream(file).pipe(response);
    }
  }
}

/** Where there is no way to wait for them, processes of the last browser may still be ending. */
function removed(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

function killTree({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  if (process.platform === "win32") spawn("taskkill", ["/F", "/T", "/PID", String(pid)]);
  else process.kill(-pid, "SIGKILL");
}

function connections(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));
}
