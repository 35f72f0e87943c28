/** Four suites: `node`, `browser` (a real Chromium), `faults` (processes that are killed) and `packaging` (the built tarball in
 * empty apps). */
import { fileURLToPath } from "node:url";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { CHROME_FLAGS, findChrome } from "./scripts/chrome.mjs";
import { PREBUNDLED, sourceAliases } from "./scripts/entries.mjs";

const executablePath = findChrome();

export default defineConfig({
  resolve: { alias: sourceAliases(fileURLToPath(new URL(".", import.meta.url))) },
  optimizeDeps: { include: PREBUNDLED },
  test: {
    // Limits are there to end what hangs, not to judge how fast a machine is.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          include: ["test/**/*.test.ts"],
          exclude: ["test/**/*.browser.test.ts", "test/packaging/**", "test/faults/kill/**"],
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: ["test/**/*.browser.test.ts"],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: { ...(executablePath ? { executablePath } : {}), args: CHROME_FLAGS } }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
      {
        extends: true,
        test: { name: "faults", include: ["test/faults/kill/*.test.ts"] },
      },
      {
        extends: true,
        test: {
          name: "packaging",
          include: ["test/packaging/*.test.ts"],
          globalSetup: ["test/packaging/install.ts"],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
