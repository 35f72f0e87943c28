/** A valibot schema in the forms that engines take: JSON schema, and a grammar without free white space.
 *
 * White space is left out because a weak model that may write it without end does, until it is cut. */

import { toJsonSchema } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";

/** The part of JSON schema (draft 7) that valibot's schemas of ours come to. */
interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

export function jsonSchemaOf(schema: GenericSchema): Readonly<Record<string, unknown>> {
  // What only tidies a value, such as trimming, has no place in a schema.
  const { $schema: _, ...rest } = toJsonSchema(schema, { ignoreActions: ["trim"] });
  return rest;
}

const CHARACTER = `[^"\\\\\\x00-\\x1F] | "\\\\" (["\\\\/bfnrt] | "u" [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F])`;

/** The schema as a grammar in GBNF, which llama.cpp and XGrammar (WebLLM) both read. Optional members are left out: what a model
 * may omit, a small one should. A string ends at its greatest length: a small model that has begun to count goes on until it is cut.
 * @throws TypeError for a schema that is no object, array, string, number, boolean or enumeration */
export function grammarOf(schema: GenericSchema): string {
  const rules = new Map<string, string>([["character", CHARACTER]]);
  const root = rule(jsonSchemaOf(schema) as JsonSchema, rules);
  return [`root ::= ${root}`, ...[...rules].map(([name, body]) => `${name} ::= ${body}`)].join("\n");
}

const literal = (value: unknown): string => JSON.stringify(JSON.stringify(value));

function rule(schema: JsonSchema, rules: Map<string, string>): string {
  if (schema.enum) return `(${schema.enum.map(literal).join(" | ")})`;
  if (schema.const !== undefined) return literal(schema.const);
  switch (schema.type) {
    case "string":
      return string(schema, rules);
    case "boolean":
      return '("true" | "false")';
    case "integer":
      return digits(schema.maximum);
    case "number":
      return `(${digits(schema.maximum)} ("." [0-9] [0-9]?)?)`;
    case "array":
      return list(schema, rules);
    case "object":
      return members(schema, rules);
    default:
      throw new TypeError(`no grammar for a schema of type ${String(schema.type)}`);
  }
}

/** A rule for each length, since a bounded repetition is as many rules inside an engine as it is long. */
function string({ minLength = 0, maxLength }: JsonSchema, rules: Map<string, string>): string {
  const name = `string${minLength}to${maxLength ?? "any"}`;
  rules.set(name, `"\\"" character{${minLength},${maxLength ?? ""}} "\\""`);
  return name;
}

function digits(maximum = 999_999): string {
  const further = Math.max(0, String(Math.floor(maximum)).length - 1);
  return `("0" | [1-9]${" [0-9]?".repeat(further)})`;
}

function list({ items = {}, minItems = 0, maxItems }: JsonSchema, rules: Map<string, string>): string {
  const name = `item${rules.size}`;
  rules.set(name, "");
  rules.set(name, rule(items, rules));
  const most = maxItems === undefined ? "" : String(Math.max(0, maxItems - 1));
  const some = `${name} ("," ${name}){${Math.max(0, minItems - 1)},${most}}`;
  return minItems > 0 ? `"[" ${some} "]"` : `"[" (${some})? "]"`;
}

function members({ properties = {}, required = [] }: JsonSchema, rules: Map<string, string>): string {
  const written = Object.entries(properties).filter(([name]) => required.includes(name));
  const parts = written.map(([name, member]) => `${JSON.stringify(`${JSON.stringify(name)}:`)} ${rule(member, rules)}`);
  return `"{" ${parts.join(' "," ')} "}"`;
}
