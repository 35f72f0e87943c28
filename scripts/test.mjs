/** `npm test`: makes what the tests need (kernel, browser, weights of a small model), runs every suite, and ends with one line of
 * totals.
 *
 * `npm test -- node browser` runs the named suites only. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureChrome } from "./chrome.mjs";

/** Projects of vitest.config.ts. One after another: on a small machine the browser needs the cores to itself. */
const SUITES = ["node", "browser", "faults", "packaging"];

/** How long the weights of the small model may take, in milliseconds: 98 MB at 5 Mbit/s. Without them what needs them is skipped. */
const WEIGHTS_TIMEOUT_MS = 180_000;

const root = fileURLToPath(new URL("..", import.meta.url));
const named = process.argv.slice(2);
const unknown = named.filter((name) => !SUITES.includes(name));
if (unknown.length > 0) throw new RangeError(`no suite named ${unknown.join(", ")}; there are ${SUITES.join(", ")}`);

/** What failed, told once more at the end: a log is often read from there.
 * @type {string[]} */
const failedTests = [];

/** Runs a suite and counts. A run that fails without a failing test (a crash, an error outside a test) counts as one.
 * @param {string} suite
 * @param {string} report file for vitest's JSON */
function runSuite(suite, report) {
  const started = Date.now();
  console.log(`\n== ${suite}`);
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, "node_modules/vitest/vitest.mjs"),
      "run",
      "--project",
      suite,
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
    ],
    { cwd: root, stdio: "inherit" },
  );
  let passed = 0;
  let failed = 0;
  let skipped = 0;
  try {
    const totals = JSON.parse(readFileSync(report, "utf8"));
    passed = totals.numPassedTests;
    failed = totals.numFailedTests;
    skipped = totals.numPendingTests + totals.numTodoTests;
    for (const { name, status: result, assertionResults } of totals.testResults) {
      const file = relative(root, name);
      const failures = assertionResults.filter((test) => test.status === "failed");
      for (const { fullName } of failures) failedTests.push(`${suite}: ${file}: ${fullName}`);
      if (result === "failed" && failures.length === 0) failedTests.push(`${suite}: ${file} could not be run`);
    }
  } catch (error) {
    console.log(`${suite}: no report (${error.message})`);
  }
  if (status !== 0 && failed === 0) failed = 1;
  console.log(
    `${suite}: ${passed} passed, ${failed} failed, ${skipped} skipped in ${Math.round((Date.now() - started) / 1000)} s`,
  );
  return { passed, failed, skipped };
}

execFileSync(process.execPath, [join(root, "scripts/build-kernel.mjs")], { stdio: "inherit" });
process.env.CHROME_PATH = ensureChrome();
console.log(`browser: ${process.env.CHROME_PATH}`);

const weights = spawnSync(process.execPath, [join(root, "scripts/models.mjs"), "smollm2"], {
  stdio: "inherit",
  timeout: WEIGHTS_TIMEOUT_MS,
});
if (weights.status !== 0) console.log("smollm2: not fetched; the tests that run it are skipped");

const folder = mkdtempSync(join(tmpdir(), "keepsake-test-"));
const totals = { passed: 0, failed: 0, skipped: 0 };
for (const suite of named.length > 0 ? named : SUITES) {
  const counted = runSuite(suite, join(folder, `${suite}.json`));
  for (const key of Object.keys(totals)) totals[key] += counted[key];
}
rmSync(folder, { recursive: true, force: true });
for (const failure of failedTests) console.log(`failed: ${failure}`);
console.log(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed === 0 ? 0 : 1;
