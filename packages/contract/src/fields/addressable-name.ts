import { z } from "zod";
import { isName, NAME_EXPECTATION } from "./name.ts";
import { NAME_JSON_SCHEMA } from "./name-schema.ts";

/** What a name must be that stands in paths, for the people who read a refusal. */
export const ADDRESSABLE_NAME_EXPECTATION =
  `${NAME_EXPECTATION}; and no part between or behind slashes that is empty, . or .., and no % before two ` +
  "hexadecimal digits, because no path could name it";

/** Parts that servers and proxies remove from paths. Some of them take a backslash for a slash. */
const REMOVED: ReadonlySet<string> = new Set(["", ".", ".."]);

/** What is another escape once a proxy on the way has decoded a path. */
const ESCAPE = /%[0-9A-Fa-f]{2}/;

/** Whether a path can name what has this name. A name in a call need not be addressable. */
export function isAddressableName(text: string): boolean {
  return isName(text) && !ESCAPE.test(text) && !text.split(/[/\\]/).some((part) => REMOVED.has(part));
}

const error = `expected ${ADDRESSABLE_NAME_EXPECTATION}`;

/** The name of something that is created with it and addressed by path. */
export const addressableNameSchema = z
  .string({ error })
  .refine(isAddressableName, { error })
  .meta({ jsonSchema: NAME_JSON_SCHEMA });
