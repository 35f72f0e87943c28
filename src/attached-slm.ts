/** The small model that an app names: opened while the memory answers already, given to its backend, and closed with it if it is ours. */

import type { MemoryBackend, MemoryEvent } from "./backend.js";
import { MemoryError } from "./errors.js";
import { orAborted } from "./or-aborted.js";
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
  #opened: OpenedSlm | undefined;
  /** Of the model that loads, if one does. */
  #loading: AbortController | undefined;
  #isClosed = false;
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
    const attached = this.attach(slm, giving, call);
    const own = this.#loading;
    attached.catch((error: unknown) => {
      // Nobody misses what another took the place of.
      if (own?.signal.aborted) return;
      this.#failure = { part: PART, reason: error instanceof Error ? error.message : String(error) };
      this.#emit({ type: "degraded", detail: this.#failure });
    });
  }

  /** The last wish counts: a model that still loads is given up.
   * @throws what the provider and the backend throw, an AbortError where another wish came; the model there was stays then */
  async attach(slm: ConnectableSlm | SlmProvider, giving: RoleGiving, { signal }: CallOptions): Promise<void> {
    const last = this.#last();
    const until = signal ? AbortSignal.any([signal, last]) : last;
    const opened = await this.#open(slm, until);
    try {
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
    this.#last();
    await this.#backend.attachSlm(undefined, "exam");
    await this.#closeOpened();
  }

  /** After the backend. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#last();
    await this.#closeOpened();
  }

  /** @returns aborts when there is a later wish */
  #last(): AbortSignal {
    this.#loading?.abort(new DOMException("another model, or none, was asked for meanwhile", "AbortError"));
    this.#loading = new AbortController();
    if (this.#isClosed) this.#loading.abort(new MemoryError("closed", "the memory is closed"));
    return this.#loading.signal;
  }

  async #open(slm: ConnectableSlm | SlmProvider, signal: AbortSignal): Promise<OpenedSlm> {
    if (!("open" in slm)) return { engine: slm, owned: false };
    const onProgress = (detail: MemoryEventMap["progress"]) => this.#emit({ type: "progress", detail });
    const opening = slm.open({ signal, onProgress });
    try {
      return { engine: await orAborted(opening, signal), owned: true };
    } catch (error) {
      // One that does not listen to its signal comes all the same.
      opening.then((engine) => engine.close()).catch(() => undefined);
      throw error;
    }
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
