import type { Detector, Search, Span } from "./detector.ts";
import { isStandIn } from "./stand-in.ts";

/** Keys of connection strings that say where to connect, and as whom. */
const PLACE_KEYS =
  "server|data source|host|hostname|address|addr|endpoint|accountname|sharedaccesskeyname|user id|userid|" +
  "username|user|uid|database|initial catalog|driver|provider|port|dbname";
const PASSWORD_KEYS = "password|pwd";
const ACCESS_KEYS = "accountkey|sharedaccesskey|sharedsecretvalue|accesskey";

/** Quotes and the braces of ODBC enclose a value that may hold semicolons. A doubled end is a character. */
const ENCLOSED = [
  `"(?:[^"\\r\\n]|""){1,128}"`,
  `'(?:[^'\\r\\n]|''){1,128}'`,
  "\\{(?:[^}\\r\\n]|\\}\\}){1,128}\\}",
];
const VALUE = `${ENCLOSED.join("|")}|[^;&"'\\s]+`;

/**
 * One `key=value` of a connection string. Only a key of these three kinds begins a match. After a dot it is a
 * member of an object in source code.
 */
const ITEM = new RegExp(
  `(?<![A-Za-z0-9_.])(?:(?<place>${PLACE_KEYS})|(?<password>${PASSWORD_KEYS})|(?<access>${ACCESS_KEYS}))` +
    `[ \\t]{0,4}=(?!=)[ \\t]{0,4}(?<value>${VALUE})`,
  "gi",
);

/** The text may be JSON, where a tab is two characters. */
const KEY_BEFORE = new RegExp(`(?:${PASSWORD_KEYS}|${ACCESS_KEYS})(?:[ \\t]|\\\\t){0,4}$`, "i");

/** Longest key with the white space after it, in UTF-16 units. */
const MAX_KEY_LENGTH = 32;

/** Farthest that a place to connect to may stand from its password, in UTF-16 units. */
const NEAR = 256;

/** Fewest characters of an access key: a kind that services generate in base64. */
const MIN_ACCESS_KEY = 40;

/**
 * Passwords of connection strings: `Password=...` near a server, user or database, and generated access keys.
 */
export const connectionString: Detector = {
  mayContain: (text) => {
    for (let at = text.indexOf("="); at !== -1; at = text.indexOf("=", at + 1))
      if (KEY_BEFORE.test(text.slice(Math.max(0, at - MAX_KEY_LENGTH), at))) return true;
    return false;
  },
  search: searchItems,
};

function searchItems(text: string): Search {
  const found = passwordsOf(text);
  let next = 0;
  return () => {
    const span = found[next] ?? null;
    next += 1;
    return span;
  };
}

/** Reads the text once; a place before or after a password is remembered, not searched again. */
function passwordsOf(text: string): readonly Span[] {
  const found: Span[] = [];
  let placeEnd = Number.NEGATIVE_INFINITY;
  let waiting: Span[] = [];
  for (const match of text.matchAll(ITEM)) {
    const end = match.index + match[0].length;
    const value: Span = { start: end - (match.groups?.["value"] ?? "").length, end };
    if (match.groups?.["place"] !== undefined) {
      for (const span of waiting) if (match.index - span.end <= NEAR) found.push(span);
      waiting = [];
      placeEnd = end;
    } else if (isStandIn(text, value)) continue;
    else if (match.groups?.["access"] !== undefined) {
      if (end - value.start >= MIN_ACCESS_KEY) found.push(value);
    } else if (match.index - placeEnd <= NEAR) found.push(value);
    else waiting.push(value);
  }
  return found.toSorted((left, right) => left.start - right.start);
}
