/** The command line of `npm run faults`, and its report. */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeReport } from "../../../eval/report.js";
import { openChromiumVictim } from "./chromium-victim.js";
import { openNodeVictim } from "./node-victim.js";
import { measureOpenings, type Openings } from "./opening.js";
import { runKills, type Tally } from "./runner.js";
import type { Victim } from "./victim.js";

const OPENERS: Readonly<Record<Victim["kind"], () => Promise<Victim>>> = { node: openNodeVictim, chromium: openChromiumVictim };
const PROGRESS_MS = 5_000;
/** Of each kind, with `--open`. */
const OPENINGS = 9;

/** @param args those of the command line
 * @returns how many violations were found
 * @throws RangeError | TypeError for what cannot be meant */
export async function runFaults(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kills: { type: "string", default: "1000" },
      out: { type: "string", default: "out/faults" },
      seed: { type: "string", default: "1" },
      browser: { type: "boolean", default: false },
      node: { type: "boolean", default: false },
      resume: { type: "boolean", default: false },
      open: { type: "string", default: "0" },
    },
  });
  const kills = Number(values.kills);
  if (!Number.isInteger(kills) || kills < 1) throw new RangeError(`--kills is an integer of 1 or more, got ${values.kills}`);
  const seed = Number(values.seed);
  if (!Number.isInteger(seed)) throw new RangeError(`--seed is an integer, got ${values.seed}`);
  const kinds = (["node", "chromium"] as const).filter((kind) =>
    values.browser === values.node ? true : kind === (values.node ? "node" : "chromium"),
  );
  const open = Number(values.open);
  if (!Number.isInteger(open) || open < 0) throw new RangeError(`--open is an integer of 0 or more, got ${values.open}`);
  const startedAt = new Date().toISOString();
  const tallies = values.resume ? await readProgress(values.out, seed) : new Map<Victim["kind"], Tally>();
  const openings = new Map<Victim["kind"], Openings>();
  for (const kind of kinds) {
    const victim = await OPENERS[kind]();
    try {
      const tally = await runKills(victim, {
        kills,
        seed,
        keepIn: join(values.out, "kept"),
        before: tallies.get(kind),
        onKill: progressOf(kind, kills, tallies.get(kind)),
        onDatabase: (sofar) => writeProgress(values.out, seed, new Map(tallies).set(kind, sofar)),
      });
      tallies.set(kind, tally);
      if (open > 0) openings.set(kind, await measureOpenings(victim, { entries: open, rounds: OPENINGS, seed }));
    } finally {
      await victim.close();
    }
    await report(values.out, { kills, seed, kinds, open }, startedAt, { tallies, openings });
  }
  return [...tallies.values()].reduce((sum, { violations }) => sum + violations.length, 0);
}

interface Progress {
  readonly seed: number;
  readonly tallies: readonly (readonly [Victim["kind"], Tally])[];
}

const progressFile = (out: string): string => join(out, "progress.json");

async function writeProgress(out: string, seed: number, tallies: ReadonlyMap<Victim["kind"], Tally>): Promise<void> {
  await mkdir(out, { recursive: true });
  const progress: Progress = { seed, tallies: [...tallies] };
  await writeFile(progressFile(out), JSON.stringify(progress));
}

/** @throws RangeError when there is nothing to go on with, or it was made with another seed */
async function readProgress(out: string, seed: number): Promise<Map<Victim["kind"], Tally>> {
  const text = await readFile(progressFile(out), "utf8").catch(() => undefined);
  if (text === undefined) throw new RangeError(`--resume finds no ${progressFile(out)}`);
  const progress = JSON.parse(text) as Progress;
  if (progress.seed !== seed) throw new RangeError(`${progressFile(out)} was made with --seed ${progress.seed}`);
  return new Map(progress.tallies);
}

async function report(
  out: string,
  { seed, ...options }: Readonly<Record<string, unknown>> & { readonly seed: number },
  startedAt: string,
  {
    tallies,
    openings,
  }: { readonly tallies: ReadonlyMap<Victim["kind"], Tally>; readonly openings: ReadonlyMap<Victim["kind"], Openings> },
): Promise<void> {
  const figures: Record<string, number> = {};
  const add = (name: string, value: number) => {
    figures[name] = (figures[name] ?? 0) + value;
  };
  for (const [kind, { kills, killsWhileOpening, killsDuring, acts, violations, openMs }] of tallies) {
    const of = (wanted: string) => violations.filter((violation) => violation.kind === wanted).length;
    for (const [name, value] of [
      ["kills", kills],
      ["lost", of("lost")],
      ["doubled", of("doubled")],
      ["inconsistent", of("inconsistent")],
      ["recreated", of("recreated")],
    ] as const) {
      add(`faults.${name}`, value);
      add(`faults.${kind}.${name}`, value);
    }
    figures[`faults.${kind}.killsWhileOpening`] = killsWhileOpening;
    for (const [type, count] of Object.entries(killsDuring)) figures[`faults.${kind}.killsDuring.${type}`] = count;
    figures[`faults.${kind}.acts`] = acts;
    figures[`faults.${kind}.openMs.p50`] = middle(openMs);
  }
  for (const [kind, { cleanMs, killedMs }] of openings) {
    figures[`faults.${kind}.open.clean`] = middle(cleanMs);
    figures[`faults.${kind}.open.killed`] = middle(killedMs);
    figures[`faults.${kind}.open.ratio`] = middle(killedMs) / middle(cleanMs);
  }
  await writeReport(out, { command: "faults", options, seed, startedAt }, { figures, intervals: {}, failed: 0 });
  await mkdir(out, { recursive: true });
  const lines = [...tallies.values()].flatMap(({ violations }) => violations.map((violation) => JSON.stringify(violation)));
  await writeFile(join(out, "violations.jsonl"), lines.map((line) => `${line}\n`).join(""));
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
}

function progressOf(kind: string, kills: number, before: Tally | undefined): (tally: Tally) => void {
  const started = Date.now();
  let told = started;
  let known = before?.violations.length ?? 0;
  return ({ kills: done, acts, violations }) => {
    for (const { kind: what, what: words, after } of violations.slice(known))
      process.stderr.write(`${what.toUpperCase()} (${after}): ${words}\n`);
    known = violations.length;
    if (Date.now() - told < PROGRESS_MS && done < kills) return;
    told = Date.now();
    const minutes = ((((told - started) / (done - (before?.kills ?? 0))) * (kills - done)) / 60_000).toFixed(1);
    process.stderr.write(`${kind}: ${done} of ${kills} kills, ${acts} acts, ${known} violations, ${minutes} min left\n`);
  };
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
