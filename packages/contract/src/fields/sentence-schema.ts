import { z } from "zod";
import { MAX_REASON_LENGTH } from "../limits.ts";

/** Free text that says something: not only white space. @param what refusals say, after "expected" */
export function sentenceSchema(what: string): z.ZodString {
  const error = `expected ${what} in 1 to ${String(MAX_REASON_LENGTH)} characters, not only white space`;
  return z.string({ error }).max(MAX_REASON_LENGTH, { error }).regex(/\S/, { error });
}
