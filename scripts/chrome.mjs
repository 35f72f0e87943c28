/** Finds a Chromium for tests, bench and screenshots: CHROME_PATH, Playwright's own, the system's, else installs one. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "playwright";

const SYSTEM = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
];

/** @returns the path of a browser that is there already, or undefined */
export function findChrome() {
  const named = process.env.CHROME_PATH;
  if (named) {
    if (existsSync(named)) return named;
    throw new Error(`CHROME_PATH names ${named}, which does not exist`);
  }
  const own = chromium.executablePath();
  return existsSync(own) ? own : SYSTEM.find((path) => existsSync(path));
}

/** @returns the path of a browser, installing one where there is none */
export function ensureChrome() {
  const found = findChrome();
  if (found) return found;
  const tries = [
    ["npx", ["playwright", "install", "--only-shell", "chromium"]],
    ...(process.platform === "linux" && process.getuid?.() === 0
      ? [
          ["apt-get", ["update", "-qq"]],
          ["apt-get", ["install", "-y", "-qq", "chromium"]],
        ]
      : []),
  ];
  for (const [command, args] of tries) {
    try {
      console.log(`no browser found, trying: ${command} ${args.join(" ")}`);
      execFileSync(command, args, { stdio: "inherit" });
    } catch (error) {
      console.log(`${command} failed: ${error.message}`);
    }
    const installed = findChrome();
    if (installed) return installed;
  }
  throw new Error("no Chromium could be found or installed; set CHROME_PATH to one");
}

/** Flags under which headless Chromium runs on a machine without a GPU or a network, WebGPU by SwiftShader included. */
export const CHROME_FLAGS = [
  "--no-sandbox",
  "--enable-unsafe-webgpu",
  "--use-webgpu-adapter=swiftshader",
  "--enable-features=Vulkan",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
