/** Values of meta rows as JSON: what structured clone keeps and JSON does not becomes an object with the key "$". */

import { fromBase64, toBase64 } from "./base64.js";

const ARRAYS = {
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
} as const;
type ArrayName = keyof typeof ARRAYS;

/** @throws TypeError for a value of another kind, such as a blob */
export function toJson(value: unknown): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : { $: "number", text: String(value) };
  if (value === undefined) return { $: "undefined" };
  if (typeof value === "bigint") return { $: "bigint", text: String(value) };
  if (typeof value !== "object") throw new TypeError(`a ${typeof value} cannot be written into a backup`);
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof Date) return { $: "date", at: value.getTime() };
  if (value instanceof Map) return { $: "map", of: [...value].map(([key, one]) => [toJson(key), toJson(one)]) };
  if (value instanceof Set) return { $: "set", of: [...value].map(toJson) };
  const name = Object.prototype.toString.call(value).slice(8, -1);
  if (name in ARRAYS) {
    const { buffer, byteOffset, byteLength } = value as Uint8Array;
    return { $: name, base64: toBase64(new Uint8Array(buffer, byteOffset, byteLength)) };
  }
  if (name !== "Object") throw new TypeError(`a ${name} cannot be written into a backup`);
  const fields = Object.entries(value).map(([key, one]) => [key, toJson(one)]);
  return "$" in value ? { $: "object", of: fields } : Object.fromEntries(fields);
}

/** @throws TypeError for what {@link toJson} does not write */
export function fromJson(json: unknown): unknown {
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return json.map(fromJson);
  if (!("$" in json)) return Object.fromEntries(Object.entries(json).map(([key, one]) => [key, fromJson(one)]));
  const { $: kind, text, at, of, base64 } = json as Readonly<Record<string, unknown>>;
  if (kind === "undefined") return undefined;
  if (kind === "number") return Number(text);
  if (kind === "bigint") return BigInt(text as string);
  if (kind === "date") return new Date(at as number);
  if (kind === "set") return new Set((of as readonly unknown[]).map(fromJson));
  if (kind === "map")
    return new Map((of as readonly (readonly [unknown, unknown])[]).map(([key, one]) => [fromJson(key), fromJson(one)]));
  if (kind === "object")
    return Object.fromEntries((of as readonly (readonly [string, unknown])[]).map(([key, one]) => [key, fromJson(one)]));
  if (typeof kind === "string" && Object.hasOwn(ARRAYS, kind))
    return new ARRAYS[kind as ArrayName](fromBase64(base64 as string).buffer);
  throw new TypeError(`a value of the kind ${String(kind)} is not known`);
}
