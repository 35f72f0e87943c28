/** The other end of process.ts: a memory in another process, which takes orders and may be killed. */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Order } from "./process.js";

const running = new Set<Process>();

/** Kills what a test has left running. */
export async function killAll(): Promise<void> {
  await Promise.all([...running].map((one) => one.kill()));
}

export class Process {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #asked = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
  #number = 0;

  /** @param script bundled from process.ts */
  constructor(script: string) {
    this.#child = spawn(process.execPath, [script]);
    running.add(this);
    let said = "";
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    createInterface(this.#child.stdout).on("line", (line) => {
      const { number, value, error } = JSON.parse(line) as { number: number; value: never; error?: string };
      const { resolve, reject } = this.#asked.get(number) ?? {};
      if (error === undefined) resolve?.(value);
      else reject?.(new Error(error));
    });
    this.#child.on("exit", (code) => {
      for (const { reject } of this.#asked.values()) reject(new Error(`the process ended with ${code}: ${said}`));
    });
  }

  do<T>(order: Order): Promise<T> {
    const number = this.#number++;
    const answer = new Promise<T>((resolve, reject) => this.#asked.set(number, { resolve, reject }));
    this.#child.stdin.write(`${JSON.stringify({ number, ...order })}\n`);
    return answer;
  }

  async kill(): Promise<void> {
    if (!running.delete(this)) return;
    this.#asked.clear();
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }
}
