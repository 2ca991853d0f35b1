/**
 * Why a value does not match a JSON Schema; null when it does. It knows what schemas of tools are made of. A
 * keyword that it does not know could forbid the value, so that no value matches.
 */
export function jsonSchemaProblem(schema: unknown, value: unknown, path = "args"): string | null {
  return problem({ root: schema, depth: 0 }, schema, value, path);
}

interface Context {
  readonly root: unknown;
  readonly depth: number;
}

type Keyword = (context: Context, schema: Schema, value: unknown, path: string) => string | null;
type Schema = Readonly<Record<string, unknown>>;

/** Levels of schemas within schemas, so that a reference to itself ends. */
const MAX_DEPTH = 64;

/** They describe a value and forbid none. */
const DESCRIBES = new Set(
  (
    "$schema $id $comment $defs definitions title description default examples deprecated readOnly " +
    "writeOnly format contentEncoding contentMediaType discriminator"
  ).split(" "),
);

function problem(context: Context, schema: unknown, value: unknown, path: string): string | null {
  if (schema === true) return null;
  if (schema === false) return `${path} is not expected`;
  if (!isSchema(schema)) return `the schema of ${path} cannot be read`;
  if (context.depth > MAX_DEPTH) return `the schema of ${path} has too many levels`;
  const inner = { root: context.root, depth: context.depth + 1 };
  for (const name of Object.keys(schema)) {
    if (DESCRIBES.has(name)) continue;
    const keyword = KEYWORDS.get(name);
    if (keyword === undefined) return `the schema of ${path} uses ${name}, which is not checked here`;
    const found = keyword(inner, schema, value, path);
    if (found !== null) return found;
  }
  return null;
}

const KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ["type", (_, { type }, value, path) => typeProblem(type, value, path)],
  ["nullable", () => null],
  ["enum", (_, schema, value, path) => oneOfValues(list(schema["enum"]), value, path)],
  ["const", (_, schema, value, path) => oneOfValues([schema["const"]], value, path)],
  ["minimum", (_, { minimum }, value, path) => bound(value, (n) => n >= Number(minimum), path)],
  ["maximum", (_, { maximum }, value, path) => bound(value, (n) => n <= Number(maximum), path)],
  ["exclusiveMinimum", (_, s, value, path) => bound(value, (n) => n > Number(s["exclusiveMinimum"]), path)],
  ["exclusiveMaximum", (_, s, value, path) => bound(value, (n) => n < Number(s["exclusiveMaximum"]), path)],
  ["minLength", (_, s, value, path) => length(value, (n) => n >= Number(s["minLength"]), path)],
  ["maxLength", (_, s, value, path) => length(value, (n) => n <= Number(s["maxLength"]), path)],
  ["pattern", (_, s, value, path) => patternProblem(s["pattern"], value, path)],
  ["multipleOf", (_, s, value, path) => bound(value, (n) => n % Number(s["multipleOf"]) === 0, path)],
  ["propertyNames", namesProblem],
  ["minItems", (_, s, value, path) => count(value, (n) => n >= Number(s["minItems"]), path)],
  ["maxItems", (_, s, value, path) => count(value, (n) => n <= Number(s["maxItems"]), path)],
  ["properties", propertiesProblem],
  ["required", requiredProblem],
  ["additionalProperties", additionalProblem],
  ["items", itemsProblem],
  ["anyOf", (context, { anyOf }, value, path) => someOf(context, list(anyOf), value, path)],
  ["oneOf", (context, { oneOf }, value, path) => exactlyOneOf(context, list(oneOf), value, path)],
  ["allOf", allOfProblem],
  ["$ref", refProblem],
]);

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  array: (value) => Array.isArray(value),
  object: (value) => isSchema(value),
};

function typeProblem(type: unknown, value: unknown, path: string): string | null {
  const names = typeof type === "string" ? [type] : list(type);
  const fits = names.some((name) => typeof name === "string" && TYPES[name]?.(value) === true);
  return fits ? null : `${path} is not of type ${names.join(" or ")}`;
}

function oneOfValues(values: readonly unknown[], value: unknown, path: string): string | null {
  const text = JSON.stringify(value);
  return values.some((one) => JSON.stringify(one) === text) ? null : `${path} is not one of the values`;
}

type Holds = (number: number) => boolean;

function bound(value: unknown, holds: Holds, path: string): string | null {
  return typeof value !== "number" || holds(value) ? null : `${path} is out of bounds`;
}

function length(value: unknown, holds: Holds, path: string): string | null {
  return typeof value !== "string" || holds(Array.from(value).length) ? null : `${path} has a wrong length`;
}

function patternProblem(pattern: unknown, value: unknown, path: string): string | null {
  if (typeof value !== "string") return null;
  return new RegExp(String(pattern), "u").test(value) ? null : `${path} does not match its pattern`;
}

function namesProblem(
  context: Context,
  { propertyNames }: Schema,
  value: unknown,
  path: string,
): string | null {
  if (!isSchema(value)) return null;
  return first(Object.keys(value), (name) => problem(context, propertyNames, name, `a name in ${path}`));
}

function count(value: unknown, holds: Holds, path: string): string | null {
  return !Array.isArray(value) || holds(value.length) ? null : `${path} has a wrong number of items`;
}

function propertiesProblem(context: Context, schema: Schema, value: unknown, path: string): string | null {
  const { properties } = schema;
  if (!isSchema(value)) return null;
  if (!isSchema(properties)) return `the schema of ${path} cannot be read`;
  return first(Object.keys(properties), (name) =>
    Object.hasOwn(value, name) ? problem(context, properties[name], value[name], `${path}.${name}`) : null,
  );
}

function requiredProblem(_: Context, { required }: Schema, value: unknown, path: string): string | null {
  if (!isSchema(value)) return null;
  return first(list(required), (name) =>
    Object.hasOwn(value, String(name)) ? null : `${path}.${String(name)} is missing`,
  );
}

function additionalProblem(context: Context, schema: Schema, value: unknown, path: string): string | null {
  const { properties, additionalProperties } = schema;
  if (!isSchema(value)) return null;
  const known = isSchema(properties) ? properties : {};
  return first(Object.keys(value), (name) =>
    Object.hasOwn(known, name)
      ? null
      : problem(context, additionalProperties, value[name], `${path}.${name}`),
  );
}

function itemsProblem(context: Context, { items }: Schema, value: unknown, path: string): string | null {
  if (!Array.isArray(value)) return null;
  return first([...value.entries()], ([index, item]) =>
    problem(context, items, item, `${path}[${String(index)}]`),
  );
}

function someOf(context: Context, schemas: readonly unknown[], value: unknown, path: string): string | null {
  const fits = schemas.some((schema) => problem(context, schema, value, path) === null);
  return fits ? null : `${path} matches none of its schemas`;
}

function exactlyOneOf(
  context: Context,
  schemas: readonly unknown[],
  value: unknown,
  path: string,
): string | null {
  const fitting = schemas.filter((schema) => problem(context, schema, value, path) === null);
  return fitting.length === 1 ? null : `${path} does not match exactly one of its schemas`;
}

function allOfProblem(context: Context, { allOf }: Schema, value: unknown, path: string): string | null {
  return first(list(allOf), (schema) => problem(context, schema, value, path));
}

function refProblem(context: Context, { $ref }: Schema, value: unknown, path: string): string | null {
  if (typeof $ref !== "string" || !$ref.startsWith("#")) return `the schema of ${path} is elsewhere`;
  let target: unknown = context.root;
  for (const part of $ref.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    target = isSchema(target) && Object.hasOwn(target, name) ? target[name] : undefined;
  }
  return problem(context, target, value, path);
}

function first<Item>(items: readonly Item[], find: (item: Item) => string | null): string | null {
  for (const item of items) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
