/** Finds a Chromium for tests, bench and screenshots: CHROME_PATH, Playwright's own, the system's, else installs one. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
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

/** @returns {string | undefined} the path of a browser that is there already
 * @throws Error when CHROME_PATH names nothing */
export function findChrome() {
  const named = process.env.CHROME_PATH;
  if (named) {
    if (existsSync(named)) return named;
    throw new Error(`CHROME_PATH names ${named}, which does not exist`);
  }
  return [chromium.executablePath(), ...SYSTEM].find((path) => existsSync(path));
}

/** @returns {string} the path of a browser that starts, installing one where there is none
 * @throws Error when none can be had */
export function ensureChrome() {
  const found = findChrome();
  if (found && starts(found)) return found;
  if (process.env.CHROME_PATH) throw new Error(`CHROME_PATH names ${found}, which does not start`);
  for (const install of installers()) {
    const [command, ...args] = install;
    console.log(`no browser that starts, trying: ${install.join(" ")}`);
    try {
      execFileSync(command, args, { stdio: "inherit", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
    } catch (error) {
      console.log(`that failed: ${error.message}`);
    }
    const installed = [chromium.executablePath(), ...SYSTEM].find((path) => existsSync(path) && starts(path));
    if (installed) return installed;
  }
  throw new Error("no Chromium could be found or installed; install Chrome or Chromium, or set CHROME_PATH to one");
}

/** Whether the browser and the libraries it needs are there: a download alone may lack the latter. */
function starts(path) {
  // Chrome for Windows opens a window when it is asked for its version, and brings its libraries along.
  if (process.platform === "win32") return true;
  try {
    execFileSync(path, ["--version"], { stdio: "ignore", timeout: 30_000 });
    return true;
  } catch (error) {
    console.log(`${path} does not start: ${error.message}`);
    return false;
  }
}

/** Commands to try, one after another, until a browser starts. */
function installers() {
  const playwright = [process.execPath, fileURLToPath(new URL("../node_modules/playwright/cli.js", import.meta.url))];
  const asRoot = process.platform === "linux" && process.getuid?.() === 0;
  return [
    [...playwright, "install", "--no-shell", "chromium"],
    ...(asRoot
      ? [
          ["apt-get", "update", "-qq"],
          ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"],
          // Ubuntu's chromium is a snap, which does not run everywhere; then the download needs its libraries.
          [...playwright, "install-deps", "chromium"],
        ]
      : []),
  ];
}
