/** A JSON value as the strict reader yields it: finite numbers, safe integers, well-formed strings. */
export type JsonValue = string | number | boolean | null | JsonArray | JsonObject;

export type JsonArray = readonly JsonValue[];

/**
 * A JSON object. The strict reader yields null-prototype objects; read own properties only (`Object.hasOwn`).
 */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
