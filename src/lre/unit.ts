/** What the context window keeps or leaves out: one turn, or one action of an agent with what it observed. */

/** A tool call; its result stays with it. */
export interface ToolCall {
  readonly name: string;
  /** The arguments, as JSON or as they were written. */
  readonly input: string;
}

/** The piece that is kept whole or left out whole. */
export interface Unit {
  /** The app's own id; unique in its window. */
  readonly id: string;
  readonly role: "user" | "assistant" | "system" | "tool";
  /** The speaker's name, in dialogue between people. */
  readonly speaker?: string;
  /** Names the session; a change of it starts a new one. One session by default. */
  readonly session?: string;
  /** What was said or thought. */
  readonly text: string;
  /** What a shared image shows. */
  readonly caption?: string;
  readonly calls?: readonly ToolCall[];
  /** What the calls gave back, or what the world answered; kept with the action that asked for it. */
  readonly results?: readonly string[];
  /** Tokens of the whole unit; the window's tokenizer counts them by default. */
  readonly tokens?: number;
  /** Kept whatever it costs. */
  readonly pinned?: boolean;
  /** Stays or goes with the unit before it: what a tool gave back, where it came as a message of its own. */
  readonly isJoined?: boolean;
}

/** What the unit's author wrote: text, then calls. */
export const actionOf = (unit: Unit): string =>
  unit.calls && unit.calls.length > 0
    ? [unit.text, ...unit.calls.map((call) => `${call.name} ${call.input}`)].join("\n")
    : unit.text;

/** What came back. */
export const observationOf = (unit: Unit): string => (unit.results ? unit.results.join("\n") : "");

/** All of a unit's text, in order. */
export const textOf = (unit: Unit): string => {
  const observed = observationOf(unit);
  const action = unit.caption ? `${actionOf(unit)}\n${unit.caption}` : actionOf(unit);
  return observed === "" ? action : `${action}\n${observed}`;
};
