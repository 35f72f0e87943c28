/** Processes of a group, as Linux tells of them: a parent that has ended says nothing of its children. */

import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const LOOK_MS = 2;
const LIMIT_MS = 10_000;
/** Dead and not yet taken note of by their parent: they hold no file any more. */
const DEAD = ["Z", "X"];

/** Resolves when nothing of the group runs; where there is no /proc at once.
 * @throws Error when something of it still runs after ten seconds */
export async function groupEnded(group: number): Promise<void> {
  for (const until = Date.now() + LIMIT_MS; ; await sleep(LOOK_MS)) {
    const alive = await aliveOf(group);
    if (alive.length === 0) return;
    if (Date.now() > until) throw new Error(`the processes ${alive.join(", ")} outlive their kill`);
  }
}

async function aliveOf(group: number): Promise<string[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")));
  return pids.filter((_, at) => {
    // After the name, which stands in brackets and may hold anything: state, parent, group.
    const [state = "", , of] = stats[at]?.slice(stats[at].lastIndexOf(")") + 2).split(" ") ?? [];
    return of === String(group) && !DEAD.includes(state);
  });
}
