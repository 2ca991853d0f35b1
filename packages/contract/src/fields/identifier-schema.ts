import { z } from "zod";
import { IDENTIFIER, IDENTIFIER_EXPECTATION } from "./identifier.ts";

/** An identifier in a zod schema. @param expected what refusals say, after "expected" */
export function identifierSchemaFor(expected: string): z.ZodString {
  return z.string({ error: `expected ${expected}` }).regex(IDENTIFIER, { error: `expected ${expected}` });
}

export const identifierSchema = identifierSchemaFor(IDENTIFIER_EXPECTATION);
