import type { VerifierKey } from "@svc/audit-log/note-key";

/** Most given keys that are named, as count: a file of keys may hold those of many years. */
const MAX_NAMED_KEYS = 5;

/**
 * Why evidence cannot be judged: none of the keys signed it.
 * @param needed the keys that the evidence names, as `<name>+<id>`
 */
export function noKeyFits(what: string, given: readonly VerifierKey[], needed: readonly string[]): string {
  const named = given.slice(0, MAX_NAMED_KEYS).map(({ name, id }) => `${name}+${id}`);
  const more = given.length - named.length;
  const rest = more === 0 ? "" : ` and ${String(more)} more`;
  const keys = `given ${named.join(", ")}${rest}, needed ${needed.join(" or ")}`;
  return `${what}: ${keys}; is it the right key file?`;
}
