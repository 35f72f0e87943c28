/** The small model that an app names: opened while the memory answers already, given to its backend, and closed with it if it is ours. */

import type { MemoryBackend, MemoryEvent } from "./backend.js";
import type { CallOptions, ConnectableSlm, SlmProvider } from "./ports.js";
import type { MemoryEventMap, RoleGiving } from "./types.js";

interface OpenedSlm {
  readonly engine: ConnectableSlm;
  /** Opened by us, so closed by us. */
  readonly owned: boolean;
}

/** The part that a "degraded" event names. */
const PART = "model";

export class AttachedSlm {
  readonly #backend: MemoryBackend;
  readonly #emit: (event: MemoryEvent) => void;
  readonly #ended = new AbortController();
  #opened: OpenedSlm | undefined;
  /** Loadings that nobody waits for. */
  #loading: Promise<void> = Promise.resolve();
  #failure: MemoryEventMap["degraded"] | undefined;

  constructor(backend: MemoryBackend, emit: (event: MemoryEvent) => void) {
    this.#backend = backend;
    this.#emit = emit;
  }

  /** Why there is no model, where one was asked for. */
  get failures(): readonly MemoryEventMap["degraded"][] {
    return this.#failure ? [this.#failure] : [];
  }

  /** Opens it in the background; a failure is told as an event, and lite goes on. */
  begin(slm: ConnectableSlm | SlmProvider, giving: RoleGiving, call: CallOptions): void {
    this.#loading = this.attach(slm, giving, call).catch((error: unknown) => {
      if (this.#ended.signal.aborted) return;
      this.#failure = { part: PART, reason: error instanceof Error ? error.message : String(error) };
      this.#emit({ type: "degraded", detail: this.#failure });
    });
  }

  /** @throws what the provider and the backend throw; the model there was stays then */
  async attach(slm: ConnectableSlm | SlmProvider, giving: RoleGiving, { signal }: CallOptions): Promise<void> {
    const until = signal ? AbortSignal.any([signal, this.#ended.signal]) : this.#ended.signal;
    const opened = await this.#open(slm, until);
    try {
      until.throwIfAborted();
      await this.#backend.attachSlm(opened.engine, giving, { signal: until });
    } catch (error) {
      if (opened.owned) await opened.engine.close();
      throw error;
    }
    const before = this.#opened;
    this.#opened = opened;
    this.#failure = undefined;
    if (before?.owned) await before.engine.close();
  }

  async detach(): Promise<void> {
    await this.#loading;
    await this.#backend.attachSlm(undefined, "exam");
    await this.#closeOpened();
  }

  /** After the backend. */
  async close(): Promise<void> {
    this.#ended.abort();
    await this.#loading;
    await this.#closeOpened();
  }

  async #open(slm: ConnectableSlm | SlmProvider, signal: AbortSignal): Promise<OpenedSlm> {
    if (!("open" in slm)) return { engine: slm, owned: false };
    const onProgress = (detail: MemoryEventMap["progress"]) => this.#emit({ type: "progress", detail });
    return { engine: await slm.open({ signal, onProgress }), owned: true };
  }

  async #closeOpened(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened?.owned) await opened.engine.close();
  }
}

const FORMS = {
  controller: ["likelihood", "generate"],
  selector: ["likelihood", "generate"],
  writer: ["generate", "rank"],
} as const;

/** @throws TypeError */
export function roleGiving(giving: RoleGiving = "exam"): RoleGiving {
  if (giving === "exam" || giving === "exam-anew") return giving;
  if (typeof giving !== "object" || giving === null)
    throw new TypeError(`slmRoles is "exam", "exam-anew" or an object of roles, not ${String(giving)}`);
  for (const [role, form] of Object.entries(giving)) {
    const forms: readonly unknown[] | undefined = FORMS[role as keyof typeof FORMS];
    if (!forms) throw new TypeError(`a role is ${Object.keys(FORMS).join(", ")}, not ${role}`);
    if (form !== undefined && !forms.includes(form))
      throw new TypeError(`the ${role} is played by ${forms.join(" or ")}, not ${String(form)}`);
  }
  return giving;
}
