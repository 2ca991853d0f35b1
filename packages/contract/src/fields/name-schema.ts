import { z } from "zod";
import { MAX_NAME_BYTES } from "../limits.ts";
import { isName, NAME_EXPECTATION, NAME_PATTERN } from "./name.ts";

/** The schema of a name as far as every dialect can say it: each character has a byte or more. */
export const NAME_JSON_SCHEMA = {
  type: "string",
  minLength: 1,
  maxLength: MAX_NAME_BYTES,
  pattern: NAME_PATTERN,
} as const;

/** The name of an agent, session, tool or namespace. @param expected what refusals say, after "expected" */
export function nameSchemaFor(expected: string): z.ZodString {
  const error = `expected ${expected}`;
  return z.string({ error }).refine(isName, { error }).meta({ jsonSchema: NAME_JSON_SCHEMA });
}

export const nameSchema = nameSchemaFor(NAME_EXPECTATION);
