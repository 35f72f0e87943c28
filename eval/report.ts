/** The report that every run writes: flat figures by stable names, as JSON and as a table. */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";

export interface Report {
  readonly command: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly seed: number;
  readonly versions: Readonly<Record<string, string>>;
  readonly machine: Readonly<Record<string, unknown>>;
  readonly startedAt: string;
  /** Shares are 0 to 1, times in milliseconds. */
  readonly figures: Readonly<Record<string, number>>;
  readonly intervals: Readonly<Record<string, readonly [number, number]>>;
  /** Questions that could not be run. */
  readonly failed: number;
  /** Splits, and what stands in for what: to be read with the figures. */
  readonly notes?: readonly string[];
}

/** What a command gives; the rest of the report is the same for all. */
export type Findings = Pick<Report, "figures" | "intervals" | "failed" | "notes">;

async function versions(): Promise<Record<string, string>> {
  const text = await readFile(new URL("../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(text) as { version: string };
  return { keepsake: version, node: process.versions.node };
}

function machine(): Record<string, unknown> {
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memoryGB: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
  };
}

function markdown(report: Report): string {
  const rows = Object.entries(report.figures).map(([name, value]) => {
    const interval = report.intervals[name];
    return `| ${name} | ${Number(value.toFixed(4))} | ${interval ? `${interval[0].toFixed(3)} – ${interval[1].toFixed(3)}` : ""} |`;
  });
  return [
    `# ${report.command}`,
    "",
    `${report.startedAt}, seed ${report.seed}, ${report.machine.cpu} (${report.machine.cores} cores), Node ${report.versions.node}, failed: ${report.failed}`,
    "",
    "| figure | value | 95% interval |",
    "|---|---|---|",
    ...rows,
    "",
    ...(report.notes ?? []).map((note) => `- ${note}`),
    ...(report.notes ? [""] : []),
  ].join("\n");
}

/** Writes `report.json` and `report.md`; the folder is made if need be. */
export async function writeReport(
  out: string,
  base: Pick<Report, "command" | "options" | "seed" | "startedAt">,
  findings: Findings,
): Promise<Report> {
  const report: Report = { ...base, versions: await versions(), machine: machine(), ...findings };
  await mkdir(out, { recursive: true });
  await writeFile(join(out, "report.json"), `${JSON.stringify(report, null, 2)}\n`);
  await writeFile(join(out, "report.md"), markdown(report));
  return report;
}
