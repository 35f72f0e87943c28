/** The command line of the harness. */

import { parseArgs } from "node:util";

export interface EvalOptions {
  readonly command: string;
  /** A file or folder in an official format; a folder may hold `locomo` and `longmemeval`. */
  readonly data: string;
  readonly out: string;
  /** Questions a data set, in its order. */
  readonly limit: number;
  readonly seed: number;
  readonly methods: readonly string[];
  readonly sets: readonly string[];
  readonly embedder: "static" | "minilm";
  readonly unit: "turn" | "entry";
  /** Goes on from the log of a run that was interrupted. */
  readonly resume: boolean;
  /** A small model, one of `ENGINES`: for `roles`, as consolidator of `ltm`, and for the method "slm" of `recall`, `growth` and `noise`. */
  readonly engine: string | undefined;
  /** Roles that it plays in that method: "exam", those that its exam gives it; or such as "controller=generate,selector=likelihood". */
  readonly roles: string;
  /** Path of its weights; with "openai" the server's name of it. */
  readonly model: string | undefined;
  /** Where the endpoint of "openai" begins, such as "http://localhost:11434/v1". */
  readonly baseUrl: string | undefined;
  /** Writes samples that a selector can be tuned with, of data that may be used so. */
  readonly exportTraining: boolean;
  /** Plays cases in Chromium; those that are about a browser are in any case. */
  readonly browser: boolean;
}

const positive = (name: string, text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new RangeError(`--${name} is an integer of 1 or more, got ${text}`);
  return value;
};

/** @throws RangeError | TypeError for what cannot be meant */
export function readOptions(
  args: readonly string[],
  known: {
    readonly commands: readonly string[];
    /** By command. */
    readonly methods: Readonly<Record<string, readonly string[]>>;
    /** By command; `otherwise` where one has none. */
    readonly defaultMethods: Readonly<Record<string, readonly string[]>>;
    readonly otherwise: readonly string[];
  },
): EvalOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      data: { type: "string", default: "../shared/data" },
      out: { type: "string" },
      limit: { type: "string" },
      seed: { type: "string", default: "1" },
      methods: { type: "string" },
      sets: { type: "string", default: "locomo,longmemeval,agents" },
      embedder: { type: "string", default: "static" },
      unit: { type: "string", default: "turn" },
      resume: { type: "boolean", default: false },
      browser: { type: "boolean", default: false },
      engine: { type: "string" },
      model: { type: "string" },
      "base-url": { type: "string" },
      roles: { type: "string", default: "exam" },
      "export-training": { type: "boolean", default: false },
    },
  });
  const command = positionals[0] ?? "";
  if (!known.commands.includes(command))
    throw new RangeError(`a command is one of ${known.commands.join(", ")}, got "${command}"`);
  const asked = values.methods?.split(",") ?? known.defaultMethods[command] ?? known.otherwise;
  const possible = known.methods[command] ?? [];
  const methods = values.engine !== undefined && possible.includes("slm") ? [...new Set([...asked, "slm"])] : asked;
  if (methods.includes("slm") && values.engine === undefined) throw new RangeError("the method slm needs an --engine");
  for (const method of methods)
    if (!possible.includes(method)) throw new RangeError(`a method is one of ${possible.join(", ")}, got "${method}"`);
  const { embedder, unit } = values;
  if (embedder !== "static" && embedder !== "minilm") throw new RangeError(`--embedder is static or minilm, got ${embedder}`);
  if (unit !== "turn" && unit !== "entry") throw new RangeError(`--unit is turn or entry, got ${unit}`);
  return {
    command,
    data: values.data,
    out: values.out ?? `eval-results/${command}`,
    limit: values.limit === undefined ? Number.POSITIVE_INFINITY : positive("limit", values.limit),
    seed: Number(values.seed),
    methods,
    sets: values.sets.split(","),
    embedder,
    unit,
    resume: values.resume,
    browser: values.browser,
    engine: values.engine,
    roles: values.roles,
    model: values.model,
    baseUrl: values["base-url"],
    exportTraining: values["export-training"],
  };
}
