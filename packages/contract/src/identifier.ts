import { z } from "zod";
import { MAX_IDENTIFIER_BYTES } from "./limits.ts";

/**
 * The grammar of every identifier: agent, session, tool, namespace, policy, rule.
 * ASCII only and compared byte for byte: no case folding, no trimming, no Unicode look-alikes.
 */
const IDENTIFIER = /^[A-Za-z0-9_][A-Za-z0-9._:@/-]*$/;

/** What an identifier must be, as told to people in refusals. */
export const IDENTIFIER_EXPECTATION =
  "1 to 128 ASCII characters: a letter, digit or _ first, then letters, digits or . _ : @ / -";

/** Whether the text is an identifier. One character is one byte: the grammar is ASCII. */
export function isIdentifier(text: string): boolean {
  return text.length <= MAX_IDENTIFIER_BYTES && IDENTIFIER.test(text);
}

export const identifierSchema = z
  .string()
  .refine(isIdentifier, { message: `expected ${IDENTIFIER_EXPECTATION}` });
