import { z } from "zod";
import { MAX_IDENTIFIER_BYTES } from "../limits.ts";
import { IDENTIFIER_EXPECTATION } from "./identifier.ts";

/** What stands between two slashes: not empty, not `.` and not `..`, which servers and proxies remove. */
const SEGMENT = String.raw`(?:\.{0,2}[A-Za-z0-9_:@-][A-Za-z0-9._:@-]*|\.{3}[A-Za-z0-9._:@-]*)`;

const ADDRESSABLE = new RegExp(`^[A-Za-z0-9_][A-Za-z0-9._:@-]*(?:/${SEGMENT})*$`);

/** What an id must be that stands in paths, for the people who read a refusal. */
export const ADDRESSABLE_ID_EXPECTATION =
  `${IDENTIFIER_EXPECTATION}; and no part between or behind slashes that is empty, . or .., ` +
  "because no path could name it";

/** Whether a path can name what has this identifier. A name in a call need not be addressable. */
export function isAddressableId(text: string): boolean {
  return text.length <= MAX_IDENTIFIER_BYTES && ADDRESSABLE.test(text);
}

const message = `expected ${ADDRESSABLE_ID_EXPECTATION}`;

/** The id of something that is created with it and addressed by path. */
export const addressableIdSchema = z
  .string({ error: message })
  .max(MAX_IDENTIFIER_BYTES, { error: message })
  .regex(ADDRESSABLE, { error: message });
