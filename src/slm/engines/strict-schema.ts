/** Whether a JSON schema is of the part that OpenAI's strict mode takes: in objects every member is required and no other is allowed. */

type Schema = Readonly<Record<string, unknown>>;

export function isStrict(schema: Schema): boolean {
  return parts(schema).every(isStrictHere);
}

function isStrictHere({ type, properties, required, additionalProperties }: Schema): boolean {
  if (type !== "object") return true;
  const names = Object.keys(isSchema(properties) ? properties : {});
  return additionalProperties === false && Array.isArray(required) && names.every((name) => required.includes(name));
}

/** The schema and all schemas in it. */
function parts(schema: Schema): Schema[] {
  return [
    schema,
    ...Object.values(schema)
      .flatMap((value): unknown[] => (Array.isArray(value) ? value : [value]))
      .filter(isSchema)
      .flatMap(parts),
  ];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
