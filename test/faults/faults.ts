/** A store that fails, waits or stops the world at any chosen boundary of its transactions. */

import type { Store } from "../../src/ports.js";

/** A place in the run of a store: every call of every method is one transaction, and a step of an iteration is one. */
export interface Boundary {
  /** Counts the boundaries since the faults were armed, from 0. */
  readonly number: number;
  /** Name of the store's method; "write" is the one that changes anything. */
  readonly method: string;
  /** Before anything was read or written; or after all was done (committed, that is), before the caller hears of it. */
  readonly side: "before" | "after";
  readonly args: readonly unknown[];
}

/** What happens at a boundary: the caller gets an error, waits, or never hears of this store again, as if its process had
 * been killed there. */
export type Fault = { readonly fail: Error } | { readonly until: Promise<unknown> } | { readonly stop: true };

/** @returns what happens at this boundary; undefined for nothing */
export type FaultPlan = (boundary: Boundary) => Fault | undefined;

const NO_FAULT: FaultPlan = () => undefined;

/** Decorates stores and decides what becomes of their calls. New methods of the port need nothing here. */
export class Faults {
  #plan = NO_FAULT;
  #passed: Boundary[] = [];
  #isStopped = false;
  readonly #stopped: Promise<void>;
  #tellStopped: () => void = () => undefined;

  constructor() {
    this.#stopped = new Promise((resolve) => {
      this.#tellStopped = resolve;
    });
  }

  /** Boundaries passed since the faults were armed. */
  get passed(): readonly Boundary[] {
    return this.#passed;
  }

  /** Resolves when the world has stopped. */
  get stopped(): Promise<void> {
    return this.#stopped;
  }

  /** Counts from 0 again, under this plan; without one nothing happens. */
  arm(plan: FaultPlan = NO_FAULT): void {
    this.#plan = plan;
    this.#passed = [];
  }

  /** The store, with this object's faults; `close` always comes through, so that a test can let go. */
  wrap(store: Store): Store {
    return new Proxy(store, {
      get: (target, key) => {
        const member: unknown = Reflect.get(target, key, target);
        if (typeof member !== "function") return member;
        const call = (...args: unknown[]): unknown => Reflect.apply(member, target, args);
        if (key === "close") return call;
        const method = String(key);
        if (Object.prototype.toString.call(member) === "[object AsyncGeneratorFunction]")
          return (...args: unknown[]) => this.#iterate(method, args, call(...args) as AsyncIterable<unknown>);
        return (...args: unknown[]) => this.#around(method, args, async () => call(...args));
      },
    });
  }

  async *#iterate(method: string, args: readonly unknown[], items: AsyncIterable<unknown>): AsyncGenerator<unknown> {
    const iterator = items[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await this.#around(method, args, () => iterator.next());
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }

  async #around<T>(method: string, args: readonly unknown[], transaction: () => Promise<T>): Promise<T> {
    await this.#pass(method, args, "before");
    const result = await transaction();
    await this.#pass(method, args, "after");
    return result;
  }

  async #pass(method: string, args: readonly unknown[], side: Boundary["side"]): Promise<void> {
    if (this.#isStopped) await never();
    const boundary: Boundary = { number: this.#passed.length, method, side, args };
    this.#passed.push(boundary);
    const fault = this.#plan(boundary);
    if (!fault) return;
    if ("fail" in fault) throw fault.fail;
    if ("until" in fault) {
      await fault.until;
      return;
    }
    this.#isStopped = true;
    this.#tellStopped();
    await never();
  }
}

/** The plan of one fault at the boundary of this number. */
export function faultAt(number: number, fault: Fault): FaultPlan {
  return (boundary) => (boundary.number === number ? fault : undefined);
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
