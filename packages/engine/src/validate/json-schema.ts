import type { JsonObject } from "@svc/text/json-value";
import { descriptionOf, type KeyOf, keysOf, PLACES, type PlaceName } from "./places.ts";

/** A schema of JSON Schema 2020-12. False: no value is valid. */
export type JsonSchema = JsonObject | boolean;

/**
 * The schema of one place of the document: its keys and what they say come from `PLACES`, what may stand
 * below them from `members`.
 * @param rest what the keys say of each other.
 */
export function placeSchema<Place extends PlaceName>(
  place: Place,
  members: { readonly [key in KeyOf<Place>]: JsonObject },
  rest: JsonObject = {},
): JsonObject {
  const schemas: Readonly<Record<string, JsonObject>> = members;
  const properties = keysOf(place).map((key) => {
    return [key, { description: descriptionOf(place, key), ...schemas[key] }] as const;
  });
  return {
    title: PLACES[place].called,
    type: "object",
    minProperties: 1,
    additionalProperties: false,
    properties: Object.fromEntries(properties),
    ...rest,
  };
}

/** A list with 1 to `most` members. */
export function filledListSchema(items: JsonObject, most: number): JsonObject {
  return { type: "array", items, minItems: 1, maxItems: most };
}

/** A list of the policy, by its name. */
export const LIST_REFERENCE: JsonObject = { $ref: "#/$defs/list_reference" };

/** What `LIST_REFERENCE` refers to. */
export const LIST_REFERENCE_DEFINITION: JsonObject = {
  type: "object",
  title: "a list of the policy",
  description: "The values of a list that stands below lists.",
  properties: { list: { description: "The name of the list.", type: "string" } },
  required: ["list"],
  additionalProperties: false,
};

/** A list with 1 to `most` values. Lists of the policy may stand for it, and in it. */
export function valuesSchema(item: JsonObject, most: number): JsonObject {
  return { anyOf: [LIST_REFERENCE, filledListSchema({ anyOf: [item, LIST_REFERENCE] }, most)] };
}

/** The keys that exclude each other. */
export function exclusive(keys: readonly string[]): JsonObject {
  const others = keys.slice(0, -1).map((key, at) => {
    const refused = keys.slice(at + 1).map((other) => [other, false] as const);
    return [key, { properties: Object.fromEntries(refused) }] as const;
  });
  return { dependentSchemas: Object.fromEntries(others) };
}

/** What holds where a condition does, and where it does not. */
export function when(condition: JsonObject, consequence: JsonObject, otherwise?: JsonObject): JsonObject {
  const parts = { if: condition, ...(otherwise === undefined ? {} : { else: otherwise }) };
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema; nobody awaits a schema
  return { ...parts, then: consequence };
}

/** Holds when a member is the text. */
export function memberIs(key: string, text: string): JsonObject {
  return { required: [key], properties: { [key]: { const: text } } };
}
