/** Plays a case through the public surface, with lite roles, on a database of its own. */

import type { Memory, RecallItem } from "keepsake";
import type { Case, CaseStep, CaseTurn, Check, FurtherCheck } from "./case.js";
import { exportOf } from "./chat-export.js";
import { violatedIn } from "./consistency.js";
import type { StageHost } from "./host.js";
import { attachReply } from "./model.js";
import { playRace, type Race } from "./race.js";
import { type PlayedScrub, playScrub } from "./scrub.js";
import { failureOf, openedBeside, type StorageSetup } from "./storage.js";

/** What a case needs and Keepsake, or this harness, does not have yet: the case counts as failed. */
export class MissingSeam extends Error {}

const DEFAULT_SPACE = "me";
/** The conversation that a memory's own `record` writes to. */
const DEFAULT_CONVERSATION = "default";
/** Places looked at where a check names none. */
const TOP_K = 5;
const DEFAULT_BUDGET = 700;
/** Parts of a set-up that turns alone do not play. */
const KNOWN_SETUP: ReadonlySet<string> = new Set([
  "turns",
  "files",
  "format",
  "inject",
  "tabs",
  "modelReply",
  "shownIds",
  "race",
]);
/** What a case with a model's reply says it is for; it is written by the turns. */
const REPLY_COMMANDS: ReadonlySet<string> = new Set(["write entries from this reply", "apply this reply"]);
/** The database of a case. */
const DATABASE = "cases";

/** The zone of an instant's offset, where a case names none: "+02:00" is Etc/GMT-2. */
export function zoneOf(at: string | undefined): string {
  const offset = /([+-])(\d\d):00$/.exec(at ?? "");
  const hours = Number(offset?.[2] ?? 0);
  return hours === 0 ? "UTC" : `Etc/GMT${offset?.[1] === "+" ? "-" : "+"}${hours}`;
}

function turnsOf({ setup }: Case): readonly CaseTurn[] {
  if (Array.isArray(setup)) return setup as readonly CaseTurn[];
  const parts = setup as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(parts).filter((part) => !KNOWN_SETUP.has(part));
  if (unknown.length > 0) throw new MissingSeam(`no seam for a set-up of ${unknown.join(", ")}`);
  return (parts.turns ?? []) as readonly CaseTurn[];
}

/** One case's memories, one a space, all in one database, with a clock that the case sets. */
export class Stage implements AsyncDisposable {
  readonly #case: Case;
  readonly #host: StageHost;
  readonly #said: string[] = [];
  readonly #timeZone: string;
  readonly #memories = new Map<string, Promise<Memory>>();
  #now = 0;
  #windowTokens = DEFAULT_BUDGET;
  /** What the last command gave back. */
  #result: unknown;
  #scrub: PlayedScrub | undefined;

  constructor(which: Case, host: StageHost) {
    this.#case = which;
    this.#host = host;
    this.#timeZone = which.action.tz ?? zoneOf(which.action.at);
  }

  #memory(space = DEFAULT_SPACE): Promise<Memory> {
    let memory = this.#memories.get(space);
    if (!memory) {
      memory = this.#host.openMemory({ name: DATABASE, userId: space, timeZone: this.#timeZone, now: () => this.#now });
      this.#memories.set(space, memory);
    }
    return memory;
  }

  /** Records the turns and does what comes before the question. */
  async prepare(): Promise<void> {
    const { inject, tabs, modelReply, race } = this.#case.setup as StorageSetup & {
      readonly modelReply?: string;
      readonly race?: Race;
    };
    const turns = turnsOf(this.#case);
    for (const [at, turn] of turns.entries()) {
      // The reply is about the last turn.
      const isReplied = modelReply !== undefined && at === turns.length - 1;
      const model = isReplied ? await attachReply(await this.#memory(turn.space), modelReply) : undefined;
      if (inject?.onWriteOfTurn === at + 1) {
        // Open before the room ends: a database that cannot be made is another fault.
        await this.#memory(turn.space);
        this.#result = await failureOf(inject, this.#host, async () => this.#record(turn));
      }
      await this.#record(turn);
      await model?.isDone();
    }
    if (race) await this.#race(race);
    if (inject || tabs) await this.#close();
    if (tabs) this.#result = await this.#openedBeside(tabs);
    // What the command of such a case says has been done.
    const { command: _, ...action } = this.#case.action;
    await this.#perform(inject || tabs ? action : this.#case.action);
  }

  async #record({ user, assistant, at, space, session }: CaseTurn, handle?: Memory): Promise<void> {
    this.#now = Date.parse(at);
    const memory = handle ?? (await this.#memory(space));
    const target = session === undefined ? memory : memory.conversation(session);
    await target.record({ user, at: this.#now, ...(assistant !== undefined && { assistant }) });
    this.#said.push(user, ...(assistant === undefined ? [] : [assistant]));
  }

  async #race(race: Race): Promise<void> {
    const here = await this.#memory();
    const other = await this.#host.openMemory({
      name: DATABASE,
      userId: DEFAULT_SPACE,
      timeZone: this.#timeZone,
      now: () => this.#now,
    });
    await playRace(here, race, async ({ record, command, query }) => {
      if (record) await this.#record(record, other);
      else if (command === "forget" && query !== undefined) {
        const { token } = await other.forget({ query }, { preview: true });
        this.#result = await other.forget({ preview: token });
      } else throw new MissingSeam(`no seam for "${command}" in another tab`);
    });
    await other.close();
  }

  #openedBeside(tabs: NonNullable<StorageSetup["tabs"]>): Promise<string> {
    const { holdOld } = this.#host;
    if (!holdOld) throw new MissingSeam("tabs are played in a browser, with --browser");
    return openedBeside(tabs, {
      limitMs: this.#case.action.timeoutMs ?? 5_000,
      hold: (isPolite) => holdOld(DATABASE, isPolite),
      open: async () => void (await this.#memory()),
      close: () => this.#close(),
    });
  }

  async #close(): Promise<void> {
    const memories = [...this.#memories.values()];
    this.#memories.clear();
    // One that did not open has nothing to close.
    for (const opened of await Promise.allSettled(memories)) if (opened.status === "fulfilled") await opened.value.close();
  }

  async #perform(step: CaseStep): Promise<void> {
    if (step.at !== undefined) this.#now = Date.parse(step.at);
    for (const inner of step.sequence ?? []) await this.#perform(inner);
    if (step.at !== undefined) this.#now = Date.parse(step.at);
    if (step.command === "import") this.#result = await this.#import(step);
    else if (step.command === "forget") this.#result = await this.#forget(step);
    else if (step.command?.startsWith("scrub"))
      this.#scrub = await playScrub({ ...step, texts: turnsOf(this.#case).map(({ user }) => user) });
    else if (step.command === "build window") this.#windowTokens = step.budgetTokens ?? DEFAULT_BUDGET;
    else if (step.command !== undefined && step.command !== "list entries" && !REPLY_COMMANDS.has(step.command))
      throw new MissingSeam(`no seam for "${step.command}"`);
  }

  async #import({ file, space }: CaseStep): Promise<unknown> {
    const found = exportOf(this.#case, file);
    if (!found) throw new MissingSeam(`no file to import${file === undefined ? "" : ` named ${file}`}`);
    const memory = await this.#memory(space);
    return memory.import(found.file, found.format === undefined ? {} : { format: found.format });
  }

  /** As a person does who takes what the preview shows. */
  async #forget({ query, space }: CaseStep): Promise<unknown> {
    const memory = await this.#memory(space);
    if (query === undefined) throw new MissingSeam("no seam to forget without a query");
    const { token } = await memory.forget({ query }, { preview: true });
    return memory.forget({ preview: token });
  }

  /** Invariants that the harness can tell of, and whether they hold. */
  get invariants(): ReadonlyMap<string, boolean> {
    return this.#scrub?.invariants ?? new Map();
  }

  /** The texts that a check looks at, list by list: a sweep of budgets gives one list each. */
  async texts(check: Check & Pick<FurtherCheck, "ask" | "space">): Promise<readonly (readonly string[])[]> {
    const { action } = this.#case;
    const { ask = action.ask ?? action.then?.ask, session, at } = { ...action, ...action.then, ...check };
    if (at !== undefined) this.#now = Date.parse(at);
    const memory = await this.#memory(check.space ?? action.space);
    const target = session === undefined ? memory : memory.conversation(session);
    switch (check.on ?? "recall") {
      case "recall": {
        if (ask === undefined) throw new MissingSeam("a check on recall without a question");
        const { items } = await target.recall(ask, { deadlineMs: 60_000, ...(this.#now > 0 && { at: this.#now }) });
        return [items.slice(0, check.topK ?? TOP_K).map((item) => this.#shown(item))];
      }
      case "entries":
        return [await this.#entries(memory, () => true)];
      case "live":
        return [await this.#entries(memory, (validTo) => validTo === undefined)];
      case "superseded":
        return [await this.#entries(memory, (validTo) => validTo !== undefined)];
      case "turns":
        return [await this.#turns(memory, session)];
      case "window":
        return Promise.all(
          this.#budgets().map(async (maxTokens) => (await memory.context({ maxTokens })).messages.map(({ text }) => text)),
        );
      case "result":
        return [[JSON.stringify(this.#result) ?? ""]];
      case "dump":
        return [[await this.#host.dump()]];
      case "outbound":
      case "restored":
        return [this.#scrub?.[check.on === "restored" ? "restored" : "outbound"] ?? []];
      case "consistency":
        return [await violatedIn(memory, this.#said)];
      default:
        throw new MissingSeam(`no seam for what is on ${check.on}`);
    }
  }

  /** With the day that the block puts over it. */
  #shown({ text, saidAt }: RecallItem): string {
    return `${new Date(saidAt).toLocaleDateString("sv-SE", { timeZone: this.#timeZone })}: ${text}`;
  }

  #budgets(): readonly number[] {
    const { sweepBudgetTokens: sweep, step = 1 } = this.#case.action;
    if (!sweep) return [this.#windowTokens];
    const [from, to] = sweep;
    return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);
  }

  /** Of a conversation; without a name of the default one and all that memories come from. */
  async #turns(memory: Memory, session: string | undefined): Promise<string[]> {
    const ids = new Set([session ?? DEFAULT_CONVERSATION]);
    if (session === undefined) for await (const { conversationId } of memory.entries()) ids.add(conversationId);
    const texts: string[] = [];
    for (const id of ids) texts.push(...(await memory.conversation(id).history({ limit: 10_000 })).map(({ text }) => text));
    return texts;
  }

  async #entries(memory: Memory, wanted: (validTo: number | undefined) => boolean): Promise<string[]> {
    const texts: string[] = [];
    for await (const { text, validTo } of memory.entries()) if (wanted(validTo)) texts.push(text);
    return texts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
    await this.#host.close();
  }
}
