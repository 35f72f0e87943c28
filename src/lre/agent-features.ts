/** The dense features of one action of an agent with its observation, from the units before it alone; no tool's name is known. */

import { findIdentifiers, IDENTIFIER_KINDS, type Identifier, isReference } from "./identifiers.js";
import { FLAG, flagsOf } from "./lexicon.js";
import { actionOf, observationOf, type Unit } from "./unit.js";

const FORM = "step logStep firstTwo length actionLength observationLength lengthToMean";
const DEED =
  "callsTool observesUser afterTool error isJson isList observesLittle reads writes searches thinks toolSeen asks asksForId numberedList confirms credentialField idField";
const IDS =
  "newIds hasNew oneNew fewNew someNew manyNew reusedIds reusedInAction reusesInAction mostReused newShare newDensity newInAction newInObservation newFromUser idsSeen firstIds newAndReused";
const WORDS = "requestWords requestShare newWords newWordShare sumIdf meanIdf numbers capitals money";

/** Names of the features, in their order. */
export const AGENT_FEATURES: readonly string[] = [
  ...FORM.split(" "),
  ...DEED.split(" "),
  ...IDS.split(" "),
  ...IDENTIFIER_KINDS.map((kind) => `new.${kind}`),
  ...WORDS.split(" "),
];

/** Verbs that start a tool's name in every domain; the tool itself stays unknown. */
const READS = /^(?:get|list|search|find|read|fetch|show|query|view|open|lookup|retrieve|check|cat|ls|grep)/i;
const SEARCHES = /^(?:search|find|list|query|grep|lookup)/i;
const THINKS = /^(?:think|calculate|compute|plan|reason)/i;
const ERROR = /\berror\b|not found|invalid|failed|exception|denied|cannot|traceback/i;
const ASKS_ID = /\b(?:ids?|number|code|token|password|email|name)\b/i;
const NUMBERED = /^\s*(?:\d{1,3}\.|-|\*)/m;
const CONFIRMS = /\b(?:yes|confirm|proceed|correct)\b/i;
const CREDENTIAL = /"?(?:token|password|secret|api_?key|session|auth)"?\s{0,3}[:=]/i;
const ID_FIELD = /"[a-z_]{0,30}id"?s?"/i;
const WORD = /[a-z0-9]+/g;

/** Characters of an action or an observation that are read for words. */
const READ_LENGTH = 20_000;

const yes = (condition: boolean): number => (condition ? 1 : 0);

/** What the unit holds, found once and shared with coverage and ledger. */
export interface UnitIdentifiers {
  readonly inAction: readonly Identifier[];
  readonly inObservation: readonly Identifier[];
}

export const identifiersOf = (unit: Unit): UnitIdentifiers => ({
  inAction: findIdentifiers(actionOf(unit)),
  inObservation: findIdentifiers(observationOf(unit)),
});

/** Streams over one run. Memory grows with its vocabulary and identifiers. */
export class AgentFeatures {
  readonly dense = new Float64Array(AGENT_FEATURES.length);
  private steps = 0;
  private characters = 0;
  private afterTool = false;
  private readonly uses = new Map<string, number>();
  private readonly frequency = new Map<string, number>();
  private readonly tools = new Map<string, number>();
  /** Words that the user said: what the task is about. */
  private readonly requested = new Set<string>();

  push(unit: Unit, identifiers: UnitIdentifiers): void {
    const action = actionOf(unit);
    const isUser = unit.role === "user";
    const observation = observationOf(unit);
    const fromUser = isUser ? action : unit.calls && unit.calls.length > 0 ? "" : observation;
    const values: number[] = [];
    const length = action.length + observation.length;
    this.pushForm(values, isUser ? "" : action, isUser ? action : observation, length);
    this.pushDeed(values, unit, isUser ? "" : action, isUser ? action : observation, fromUser);
    this.pushIdentifiers(values, identifiers, isUser, fromUser !== "", length);
    this.pushWords(values, action, observation, fromUser);
    this.dense.set(values);
    const tool = unit.calls?.[0]?.name;
    if (tool !== undefined) this.tools.set(tool, (this.tools.get(tool) ?? 0) + 1);
    this.afterTool = tool !== undefined;
    this.steps++;
    this.characters += length;
  }

  private pushForm(values: number[], action: string, observation: string, length: number): void {
    const mean = this.steps > 0 ? this.characters / this.steps : 320;
    values.push(
      Math.min(this.steps, 30) / 10,
      Math.log1p(this.steps),
      yes(this.steps < 2),
      Math.log1p(length / 4),
      Math.log1p(action.length),
      Math.log1p(observation.length),
      Math.log((length + 20) / (mean + 20)),
    );
  }

  private pushDeed(values: number[], unit: Unit, action: string, observation: string, fromUser: string): void {
    const tool = unit.calls?.[0]?.name ?? "";
    const isList = /^\s*\[/.test(observation);
    values.push(
      yes(tool !== ""),
      yes(fromUser !== ""),
      yes(this.afterTool),
      yes(ERROR.test(observation)),
      yes(isList || /^\s*\{/.test(observation)),
      yes(isList),
      yes(observation.length < 4),
      yes(READS.test(tool)),
      yes(tool !== "" && !READS.test(tool) && !THINKS.test(tool)),
      yes(SEARCHES.test(tool)),
      yes(THINKS.test(tool)),
      Math.min(3, this.tools.get(tool) ?? 0),
      yes(action.includes("?")),
      yes(tool === "" && ASKS_ID.test(action)),
      yes(NUMBERED.test(action)),
      yes(CONFIRMS.test(fromUser)),
      yes(CREDENTIAL.test(observation)),
      yes(ID_FIELD.test(observation)),
    );
  }

  private pushIdentifiers(
    values: number[],
    { inAction, inObservation }: UnitIdentifiers,
    isUser: boolean,
    hasUser: boolean,
    length: number,
  ): void {
    const own = isUser ? [] : inAction.filter(isReference);
    const observed = (isUser ? inAction : inObservation).filter(isReference);
    const acted = new Set(own.map(({ value }) => value));
    const all = new Map([...own, ...observed].map((identifier) => [identifier.value, identifier]));
    const kinds = new Map<string, number>();
    const seenBefore = this.uses.size;
    let fresh = 0;
    let reused = 0;
    let freshInAction = 0;
    let reusedInAction = 0;
    let most = 0;
    for (const [value, { kind }] of all) {
      const uses = this.uses.get(value);
      if (uses === undefined) {
        fresh++;
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        if (acted.has(value)) freshInAction++;
      } else {
        reused++;
        most = Math.max(most, uses);
        if (acted.has(value)) reusedInAction++;
      }
    }
    for (const value of all.keys()) this.uses.set(value, (this.uses.get(value) ?? 0) + 1);
    const freshObserved = fresh - freshInAction;
    values.push(
      Math.log1p(fresh),
      yes(fresh > 0),
      yes(fresh === 1),
      yes(fresh === 2 || fresh === 3),
      yes(fresh >= 4 && fresh <= 10),
      yes(fresh > 10),
      Math.log1p(reused),
      Math.log1p(reusedInAction),
      yes(reusedInAction > 0),
      Math.min(6, most),
      all.size > 0 ? fresh / all.size : 0,
      (fresh / (length / 4 + 2)) * 50,
      yes(freshInAction > 0),
      yes(freshObserved > 0),
      yes(hasUser && freshObserved > 0),
      Math.log1p(seenBefore),
      yes(fresh > 0 && seenBefore === 0),
      yes(fresh > 0 && reusedInAction > 0),
      ...IDENTIFIER_KINDS.map((kind) => Math.log1p(kinds.get(kind) ?? 0)),
    );
  }

  private pushWords(values: number[], action: string, observation: string, fromUser: string): void {
    const read = `${action.slice(0, READ_LENGTH)} ${observation.slice(0, READ_LENGTH)}`;
    const words = new Set(
      read
        .toLowerCase()
        .match(WORD)
        ?.filter((word) => (flagsOf(word) & FLAG.stop) === 0),
    );
    let requested = 0;
    let fresh = 0;
    let idf = 0;
    for (const word of words) {
      const frequency = this.frequency.get(word) ?? 0;
      if (this.requested.has(word)) requested++;
      if (frequency === 0) fresh++;
      idf += Math.log((this.steps + 2) / (frequency + 0.5));
    }
    for (const word of words) this.frequency.set(word, (this.frequency.get(word) ?? 0) + 1);
    for (const word of fromUser.slice(0, READ_LENGTH).toLowerCase().match(WORD) ?? [])
      if ((flagsOf(word) & FLAG.stop) === 0) this.requested.add(word);
    const size = Math.max(1, words.size);
    values.push(
      Math.log1p(requested),
      requested / size,
      Math.log1p(fresh),
      fresh / size,
      Math.log1p(Math.max(0, idf)),
      idf / size,
      Math.log1p(observation.slice(0, READ_LENGTH).match(/\d+/g)?.length ?? 0),
      Math.log1p(observation.slice(0, READ_LENGTH).match(/\b[A-Z][a-z]+/g)?.length ?? 0),
      yes(/\$\d/.test(read)),
    );
  }
}
