import { type ZodType, z } from "zod";

/** A schema object of OpenAPI 3.1, which is JSON Schema 2020-12. */
export type SchemaObject = Readonly<Record<string, unknown>>;

/** What a schema is for: a request that is read, or an answer that is written. */
export type Direction = "input" | "output";

/** Named schemas, collected while the others refer to them. */
export class Components {
  readonly #schemas = new Map<string, SchemaObject>();

  /** The schema as the document shows it. What has an id becomes a component and a reference. */
  add(schema: ZodType, direction: Direction): SchemaObject {
    const rendered = z.toJSONSchema(schema, {
      io: direction,
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) => tidy(zodSchema as unknown as ZodType, jsonSchema, direction),
    });
    const { $schema: _dialect, $defs = {}, ...own } = rendered;
    const root = z.globalRegistry.get(schema)?.id;
    const nameOf = (id: string): string =>
      direction === "input" && id !== root && $defs[id]?.type === "object" ? requestName(id) : id;
    for (const [id, definition] of Object.entries($defs))
      this.#keep(nameOf(id), pointAtComponents(definition, nameOf) as SchemaObject);
    return pointAtComponents(own, nameOf) as SchemaObject;
  }

  /** By name, in alphabetical order. */
  get all(): Readonly<Record<string, SchemaObject>> {
    return Object.fromEntries([...this.#schemas].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  #keep(name: string, shown: SchemaObject): void {
    const known = this.#schemas.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(shown))
      throw new Error(`two different schemas have the id ${name}`);
    this.#schemas.set(name, shown);
  }
}

/** Says what zod cannot, and leaves out what it says without being asked. */
function tidy(schema: ZodType, shown: Record<string, unknown>, direction: Direction): void {
  const meta = z.globalRegistry.get(schema) as { readonly jsonSchema?: SchemaObject } | undefined;
  if (meta?.jsonSchema !== undefined) {
    const { description } = shown;
    for (const key of Object.keys(shown)) delete shown[key];
    Object.assign(shown, meta.jsonSchema, description === undefined ? {} : { description });
  }
  delete shown["readOnly"];
  // Many readers of the document have no classes of Unicode. The server's refusal names the expectation.
  if (typeof shown["pattern"] === "string" && /\\[pP]\{/.test(shown["pattern"])) delete shown["pattern"];
  delete shown["propertyNames"];
  forGenerators(shown);
  // Each member has its own default. From an object, generators for Go make code that does not compile.
  if (typeof shown["default"] === "object" && !Array.isArray(shown["default"]) && shown["default"] !== null)
    delete shown["default"];
  if (shown["minimum"] === Number.MIN_SAFE_INTEGER) delete shown["minimum"];
  if (shown["maximum"] === Number.MAX_SAFE_INTEGER) delete shown["maximum"];
  // A later version may add members to an answer. A client must not break on them.
  if (direction === "output" && shown["additionalProperties"] === false) delete shown["additionalProperties"];
}

/** What readers of the document make code of that does not compile, refuses answers or loses digits. */
function forGenerators(shown: Record<string, unknown>): void {
  // A truth value that is fixed is a text or a duplicate of it in Python and TypeScript.
  if (shown["type"] === "boolean") delete shown["const"];
  // Without a format, a number has 32 bits in Go and Java.
  if (shown["type"] === "integer") shown["format"] = "int64";
  if (shown["type"] === "number") shown["format"] = "double";
  // C# matches the pattern against the time, and not against its text.
  if (shown["format"] === "date-time") delete shown["pattern"];
  if (isEmptyObject(shown["additionalProperties"])) shown["additionalProperties"] = true;
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** A part of requests has a name of its own: members may be left out there, and none may be added. */
function requestName(id: string): string {
  return id.endsWith("Request") ? id : `${id}Request`;
}

const DEFINITION = "#/$defs/";

function pointAtComponents(value: unknown, nameOf: (id: string) => string): unknown {
  if (Array.isArray(value)) return value.map((member) => pointAtComponents(member, nameOf));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === "$ref" && typeof member === "string" && member.startsWith(DEFINITION)
        ? `#/components/schemas/${nameOf(member.slice(DEFINITION.length))}`
        : pointAtComponents(member, nameOf),
    ]),
  );
}
