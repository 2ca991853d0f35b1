import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { textOf } from "../text-of.ts";
import { sampleOf } from "./pattern-sample.ts";

/** A value, or the absence of one. */
export type Example = JsonValue | typeof ABSENT;

export const ABSENT = Symbol("absent");

/** A text that means nothing to any rule, as far as one can know. */
const ORDINARY = "ordinary";

/**
 * Values for which a test probably holds, or fails. `written` is the condition, or what stands below `every`.
 * Only an evaluation says whether it does. Empty where none is known.
 */
export function exampleValues(written: JsonObject, holds: boolean): readonly Example[] {
  const { operator, value = null } = written;
  switch (operator) {
    case ">":
    case ">=":
    case "<":
    case "<=":
      return boundExamples(operator, Number(value), holds);
    case "==":
      return holds ? [value] : [otherThan([value])];
    case "!=":
      return holds ? [otherThan([value])] : [value];
    case "in":
      return holds ? listOf(value).slice(0, 1) : [otherThan(listOf(value))];
    case "not_in":
      return holds ? [otherThan(listOf(value))] : listOf(value).slice(0, 1);
    case "exists":
    case "not_exists":
      return [(operator === "exists") === holds ? ORDINARY : ABSENT];
    case "not_empty":
      return [holds ? ORDINARY : ""];
    case "only_names":
      return namesExamples(written, holds);
    default:
      return holds ? holdingTexts(textOf(operator ?? ""), written) : [ORDINARY, ""];
  }
}

/** For all arguments: nothing further, or one argument more. */
function namesExamples({ field, value = null }: JsonObject, holds: boolean): readonly Example[] {
  if (field === "args") return [holds ? ABSENT : ORDINARY];
  const [first] = listOf(value);
  return [holds && first === undefined ? {} : { [holds ? textOf(first ?? "") : ORDINARY]: ORDINARY }];
}

function boundExamples(operator: ">" | ">=" | "<" | "<=", bound: number, holds: boolean): readonly number[] {
  if (!Number.isFinite(bound)) return [];
  const isAbove = operator === ">" || operator === ">=";
  const isInclusive = operator === ">=" || operator === "<=";
  const beyond = isAbove === holds ? bound + 1 : bound - 1;
  return isInclusive === holds ? [bound, beyond] : [beyond];
}

/** A value of the same type that is none of these. */
function otherThan(values: readonly JsonValue[]): JsonValue {
  const [first] = values;
  if (typeof first === "boolean") return !first;
  if (typeof first === "number") return Math.max(...values.map(Number)) + 1;
  return values.includes(ORDINARY) ? values.map(String).join("") : ORDINARY;
}

function holdingTexts(operator: string, { value = null, base }: JsonObject): readonly Example[] {
  const values = listOf(value);
  const [first = null] = values;
  const text = typeof first === "string" ? first : "";
  switch (operator) {
    case "contains":
      return typeof first === "string" ? [text] : [[first]];
    case "starts_with":
    case "ends_with":
      return [text];
    case "matches":
    case "matches_all":
      return values.flatMap((pattern) => sampleOf(textOf(pattern)) ?? []);
    case "detects":
      return values.flatMap((name) => DETECTED[textOf(name)] ?? []);
    case "path_within":
      return [`${text.replace(/\/$/, "")}/x`, ...(typeof base === "string" ? ["x"] : [])];
    case "path_named":
      return [text.replaceAll("*", "x")];
    case "host_within":
      return [`https://${text.replace(/^\*\./, "www.")}/`, `http://${text.replace(/\/.*$/, "")}/`];
    case "runs":
    case "runs_only":
      return [listOf(first).map(textOf).join(" ")];
    case "sql_only": {
      const tables = isJsonObject(value) ? listOf(value["tables"] ?? []) : [];
      return [tables.length === 0 ? "SELECT 1" : `SELECT * FROM ${textOf(tables[0] ?? "")}`];
    }
    default:
      return [];
  }
}

/** What a detector finds. Examples of the documentation; none is in use. */
const DETECTED: { readonly [name: string]: string } = {
  "pii.email": "to a@b.example",
  "pii.phone": "+49 30 1234567",
  "pii.credit_card": "4111111111111111",
  "pii.iban": "DE89370400440532013000",
  "pii.us_ssn": "078-05-1120",
  "secret.aws_key": "AKIAIOSFODNN7EXAMPLE",
  "secret.github_token": "ghp_0123456789abcdefghijABCDEFGHIJ012345",
  "secret.private_key": "-----BEGIN PRIVATE KEY-----",
  "secret.jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
  "secret.generic_api_key": "api_key=a1b2c3d4e5f6a7b8c9",
  "secret.url_password": "postgresql://app:s3cret@db/orders",
  "secret.connection_string": "Server=db;User Id=app;Password=s3cret;",
};

function listOf(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) return value as readonly JsonValue[];
  return value === null ? [] : [value];
}
