/** Agent histories as units, with what later calls needed: tau-bench, SWE-agent and API-Bank in their own formats. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Unit } from "../../src/lre/unit.js";

export interface AgentRun {
  readonly id: string;
  /** Runs of one task share a fold. */
  readonly task: string;
  readonly units: readonly Unit[];
}

interface ChatMessage {
  role: string;
  content: string | null;
  tool_calls?: { function: { name: string; arguments: string } }[] | null;
}

/** One action with the observation after it: a tool's result, or the user's reply. The system message is pinned and left aside. */
export function unitsOfChat(messages: readonly ChatMessage[]): Unit[] {
  const units: Unit[] = [];
  let at = messages.findIndex((message) => message.role !== "system");
  if (at < 0) return units;
  if (messages[at]?.role === "user") units.push({ id: "0", role: "user", text: messages[at++]?.content ?? "" });
  for (; at < messages.length; at++) {
    const message = messages[at];
    if (message?.role !== "assistant") continue;
    const call = message.tool_calls?.[0]?.function;
    const next = messages[at + 1];
    const results = next && next.role !== "assistant" ? { results: [next.content ?? ""] } : {};
    const calls = call ? { calls: [{ name: call.name, input: call.arguments }] } : {};
    units.push({ id: String(units.length), role: "assistant", text: message.content ?? "", ...calls, ...results });
  }
  return units;
}

export async function loadTauBench(folder: string): Promise<AgentRun[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  const files = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return files.flatMap((text, file) =>
    (JSON.parse(text) as { task_id: number; trial: number; traj: ChatMessage[] }[]).map((run) => ({
      id: `${file}:${run.task_id}:${run.trial}`,
      task: `tau:${file}:${run.task_id}`,
      units: unitsOfChat(run.traj),
    })),
  );
}

interface SweStep {
  thought?: string;
  action: string;
  observation?: string;
}

export async function loadSweAgent(folder: string): Promise<AgentRun[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".traj")).sort();
  const runs: AgentRun[] = [];
  for (const name of names) {
    const raw = JSON.parse(await readFile(join(folder, name), "utf8")) as { trajectory?: SweStep[] };
    // Some demonstrations hold messages alone.
    if (!raw.trajectory) continue;
    const units = raw.trajectory.map((step, index): Unit => {
      const [verb = "", ...rest] = step.action.trim().split(/\s/);
      const call = { name: verb, input: rest.join(" ") };
      return { id: String(index), role: "assistant", text: step.thought ?? "", calls: [call], results: [step.observation ?? ""] };
    });
    // Several runs replay one issue.
    runs.push({ id: name, task: `swe:${/marshmallow|pydicom|test-repo/.exec(name)?.[0] ?? name}`, units });
  }
  return runs;
}

interface ApiBankLine {
  role: "User" | "AI" | "API";
  text?: string;
  api_name?: string;
  param_dict?: unknown;
  result?: unknown;
}

export async function loadApiBank(folder: string): Promise<AgentRun[]> {
  const runs: AgentRun[] = [];
  for (const level of await readdir(folder)) {
    const names = await readdir(join(folder, level));
    for (const name of names.filter((entry) => entry.endsWith(".jsonl")).sort()) {
      const lines = (await readFile(join(folder, level, name), "utf8")).split("\n").filter((line) => line.trim() !== "");
      const units = lines.map((line, index): Unit => {
        const raw = JSON.parse(line) as ApiBankLine;
        if (raw.role !== "API")
          return { id: String(index), role: raw.role === "User" ? "user" : "assistant", text: raw.text ?? "" };
        const call = { name: raw.api_name ?? "", input: JSON.stringify(raw.param_dict ?? {}) };
        return { id: String(index), role: "assistant", text: "", calls: [call], results: [JSON.stringify(raw.result ?? "")] };
      });
      runs.push({ id: `${level}/${name}`, task: `api:${name.split("-")[0]}`, units });
    }
  }
  return runs;
}

/** String leaves of JSON that a call could not have made up: five characters or more, no date, no sentence. */
function leaves(value: unknown, found: string[] = []): string[] {
  if (typeof value === "string") {
    if (value.length >= 5 && !/^\d{4}-\d\d-\d\d$/.test(value) && !/\s.*\s.*\s/.test(value)) found.push(value);
  } else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) leaves(inner, found);
  return found;
}

/** Words of a command that it could not have made up: paths, names with marks or digits in them, five characters or more. */
const commandWords = (command: string): string[] =>
  (/^.*/.exec(command)?.[0].match(/[^\s"'`()<>{}[\],;|&=]+/g) ?? []).filter(
    (word) => word.length >= 5 && !word.startsWith("-") && /\w[\d./_-]|[\d./_-]\w/.test(word),
  );

function valuesOf(input: string): string[] {
  try {
    return leaves(JSON.parse(input));
  } catch (cause) {
    if (cause instanceof SyntaxError) return commandWords(input);
    throw cause;
  }
}

/** For each unit, the values in its call's arguments that an earlier unit holds verbatim; without regard to what we take for identifiers. */
export function neededValues(run: AgentRun, texts: readonly string[]): string[][] {
  return run.units.map((unit, at) => {
    const found = (unit.calls ?? []).flatMap(({ input }) => valuesOf(input));
    return [...new Set(found)].filter((value) => texts.slice(0, at).some((text) => text.includes(value)));
  });
}
