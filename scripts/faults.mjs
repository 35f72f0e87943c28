/** `npm run faults -- [--kills N] [--out DIR] [--seed N] [--browser | --node] [--resume] [--open N]`: kills a Node process and a Chromium N times
 * each while they record, import, forget, correct, consolidate and embed again, and looks after each kill whether anything is lost,
 * doubled or inconsistent. `report.json` has the figures; it ends with an error when there is a violation. `--resume` goes
 * on in DIR where a run with the same seed was interrupted, or adds kills to it; `--open` also
 * compares how long a memory of N entries takes to open after a kill and after a clean end. */
import { runFaults } from "../test/faults/kill/command.ts";

process.exitCode = (await runFaults(process.argv.slice(2))) === 0 ? 0 : 1;
