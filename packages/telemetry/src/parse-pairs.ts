/** Most pairs, and the most characters of a list. A list that is longer was made by mistake. */
const MAX_PAIRS = 64;
const MAX_LENGTH = 8_192;

/** A token of HTTP, which a name of a header or of an attribute is. */
const NAME = /^[A-Za-z0-9!#$&'*+.^_`|~-]+$/;

/** What a header can carry: no line break. */
const VALUE = /^[\x20-\x7e\u0080-\u00ff]*$/;

const EXPECTATION =
  `at most ${String(MAX_PAIRS)} pairs of name=value, separated by commas; a comma, a line break or another ` +
  "such character in a value is percent-encoded";

/** `name=value,name=value` as the variables of OpenTelemetry have it. @throws with what was expected */
export function parsePairs(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(",").map((part) => part.trim());
  if (text.length > MAX_LENGTH || pairs.length > MAX_PAIRS) throw new Error(EXPECTATION);
  return Object.fromEntries(pairs.map(readPair));
}

function readPair(pair: string): readonly [string, string] {
  const at = pair.indexOf("=");
  const name = pair.slice(0, Math.max(at, 0)).trim();
  const value = decoded(pair.slice(at + 1).trim());
  if (!NAME.test(name) || value === null || !VALUE.test(value)) throw new Error(EXPECTATION);
  return [name, value];
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
