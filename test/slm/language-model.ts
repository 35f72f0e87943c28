/** Stands in for the browser's Prompt API, with the surface and the errors that are documented of it; it repeats what it is told. */

export interface StandInOptions {
  readonly availability?: "unavailable" | "downloadable" | "downloading" | "available";
  /** Tokens (here: words) of a session. */
  readonly contextWindow?: number;
  /** What it says; by default the last word of the input, as JSON where a form is asked for. */
  readonly say?: (input: string, prompts: readonly { readonly role: string; readonly content: string }[]) => readonly string[];
  /** What it answers where a form is asked for. */
  readonly form?: string;
  /** Fails or hangs the n-th answer, counted from 0. */
  readonly fault?: (answer: number) => "hang" | DOMException | undefined;
  readonly createFault?: DOMException;
  /** As Chrome named it before 2026. */
  readonly oldNames?: boolean;
}

const words = (text: string): number => text.split(/\s+/).filter(Boolean).length;

export interface StandIn {
  readonly model: object;
  /** Sessions that are open. */
  open: number;
  readonly asked: { readonly input: string; readonly options: Readonly<Record<string, unknown>> }[];
}

export function standIn(options: StandInOptions = {}): StandIn {
  const { availability = "available", contextWindow = 1_000, fault, createFault, oldNames = false } = options;
  const say = options.say ?? ((input) => (input.trim() === "" ? [] : (input.trim().split(/\s+/).at(-1) ?? "").split(/(?<=.)/)));
  const state: StandIn = { open: 0, asked: [], model: {} };
  let answers = 0;

  const session = (prompts: readonly { readonly role: string; readonly content: string }[]) => {
    let isOpen = true;
    const ended = new AbortController();
    const measure = async (input: string) => words(input) + 2;
    state.open++;
    return {
      ...(oldNames ? { inputQuota: contextWindow, measureInputUsage: measure } : { contextWindow, measureContextUsage: measure }),
      promptStreaming(input: string, given: { readonly signal?: AbortSignal } & Readonly<Record<string, unknown>>) {
        if (!isOpen) throw new DOMException("the session is destroyed", "InvalidStateError");
        state.asked.push({ input, options: given });
        const failing = fault?.(answers++);
        const constrained = options.form?.split(/(?<=,)/) ?? ['{"answer":', ' "', ...say(input, prompts), '"}'];
        const pieces = given.responseConstraint ? constrained : say(input, prompts);
        let at = 0;
        const stopped = given.signal ? AbortSignal.any([given.signal, ended.signal]) : ended.signal;
        return new ReadableStream<string>({
          start: (controller) => {
            stopped.addEventListener("abort", () => controller.error(stopped.reason), { once: true });
          },
          async pull(controller) {
            await new Promise((resolve) => setTimeout(resolve));
            if (stopped.aborted) return;
            if (failing === "hang" && at === 1) return new Promise(() => undefined);
            if (failing instanceof DOMException && at === 1) return controller.error(failing);
            const piece = pieces[at++];
            if (piece === undefined) controller.close();
            else controller.enqueue(piece);
          },
        });
      },
      destroy() {
        if (isOpen) state.open--;
        isOpen = false;
        ended.abort(new DOMException("the session is destroyed", "AbortError"));
      },
    };
  };

  Object.assign(state, {
    model: {
      availability: async () => availability,
      async create(given: {
        readonly signal?: AbortSignal;
        readonly initialPrompts?: readonly { readonly role: string; readonly content: string }[];
        readonly monitor?: (events: EventTarget) => void;
      }) {
        given.signal?.throwIfAborted();
        if (createFault) throw createFault;
        const prompts = given.initialPrompts ?? [];
        if (prompts.some(({ role }, index) => role === "system" && index > 0)) throw new TypeError("a system prompt comes first");
        if (prompts.reduce((sum, { content }) => sum + words(content), 0) > contextWindow)
          throw new DOMException("the prompts are longer than the context", "QuotaExceededError");
        const events = new EventTarget();
        given.monitor?.(events);
        for (const loaded of [0, 0.5, 1])
          events.dispatchEvent(Object.assign(new Event("downloadprogress"), { loaded, total: 1 }));
        return session(prompts);
      },
    },
  });
  return state;
}
