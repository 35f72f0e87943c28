/** Whether the identifiers that agents went on to use are kept byte for byte: tau-bench and API-Bank, replayed as conversations. */

import { join } from "node:path";
import { type Message, openMemory } from "keepsake/node";
import { type AgentRun, loadApiBank, loadTauBench, neededValues } from "../lre/agents.js";

/** A value that a paraphrase would ruin: with a digit, no date, clock time or sum. */
const isIdentifier = (value: string): boolean =>
  /\d/.test(value) &&
  !/\s/.test(value) &&
  !/^\d{1,4}[-/:.]\d{1,2}(?:[-/:.]\d{1,4})?$/.test(value) &&
  !/^[\d()+*/.-]*[+*(/][\d()+*/.-]*$/.test(value);

/** Passwords and one-time codes must not be kept, so their absence is no loss. */
const CREDENTIAL = /pass|verification code|\btoken\b|\bpin\b|secret/i;
const BEFORE = 60;

function isCredential(value: string, said: readonly Message[]): boolean {
  return (
    CREDENTIAL.test(value) ||
    said.some(({ text }, at) => {
      const place = text.indexOf(value);
      if (place < 0) return false;
      // A bare answer is what the question before it asked for.
      const asked = place < 3 ? (said[at - 1]?.text.slice(-2 * BEFORE) ?? "") : "";
      return CREDENTIAL.test(asked + text.slice(Math.max(0, place - BEFORE), place));
    })
  );
}

/** What was said aloud. Without a call, what came back is what the person answered. */
function saidIn(run: AgentRun): Message[] {
  return run.units
    .flatMap(({ id, role, text, calls = [], results = [] }): Message[] => [
      { id, role, text },
      ...(calls.length === 0 ? results.map((answer, at): Message => ({ id: `${id}:${at}`, role: "user", text: answer })) : []),
    ])
    .filter(({ role, text }) => (role === "user" || role === "assistant") && text.trim() !== "");
}

/** @returns of each identifier that a later call needed and that was said, whether an entry lists it, byte for byte; what tools
 * answered is the app's to keep */
async function keptIn(run: AgentRun): Promise<number[]> {
  const said = saidIn(run);
  const texts = run.units.map(({ text, results = [] }) => [text, ...results].join("\n"));
  const wanted = [...new Set(neededValues(run, texts).flat())].filter(
    (value) => isIdentifier(value) && said.some(({ text }) => text.includes(value)) && !isCredential(value, said),
  );
  if (wanted.length === 0) return [];
  const memory = await openMemory({ name: "eval", userId: "agent", directory: ":memory:", timeZone: "UTC" });
  const kept = new Set<string>();
  try {
    await memory.record({ messages: said });
    for await (const { identifiers } of memory.entries()) for (const one of identifiers) kept.add(one);
  } finally {
    await memory.close();
  }
  // A user name may be the first part of an address.
  return wanted.map((value) => ([...kept].some((one) => one.includes(value)) ? 1 : 0));
}

/** @param data folder that holds `tau-bench` and `api-bank` */
export async function identifiersKept(data: string, limit: number): Promise<number[]> {
  const runs = [
    ...(await loadTauBench(join(data, "tau-bench")).catch(() => [])),
    ...(await loadApiBank(join(data, "api-bank", "lv1-lv2-samples")).catch(() => [])),
  ].slice(0, limit);
  const kept: number[] = [];
  for (const [at, run] of runs.entries()) {
    kept.push(...(await keptIn(run)));
    if (at % 20 === 19) process.stderr.write(`\ridentifiers: ${at + 1} of ${runs.length} runs `);
  }
  process.stderr.write("\n");
  return kept;
}
