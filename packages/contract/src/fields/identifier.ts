import { MAX_IDENTIFIER_BYTES } from "../limits.ts";

/**
 * The grammar of what operators name: policies, rules, lists, workflows, keys, organizations, gateways.
 * Agents, sessions, tools and namespaces have names (`name.ts`). ASCII only and compared byte for byte: no
 * case folding, no trimming, no Unicode look-alikes.
 */
export const IDENTIFIER_PATTERN = `^[A-Za-z0-9_][A-Za-z0-9._:@/-]{0,${String(MAX_IDENTIFIER_BYTES - 1)}}$`;
export const IDENTIFIER = new RegExp(IDENTIFIER_PATTERN);

/** What an identifier must be, for the people who read a refusal. */
export const IDENTIFIER_EXPECTATION =
  `1 to ${String(MAX_IDENTIFIER_BYTES)} ASCII characters: ` +
  "a letter, digit or _ first, then letters, digits or . _ : @ / -";

/** Whether the text is an identifier. One character is one byte: the grammar is ASCII. */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text);
}

/** The nearest identifier, with dashes for what cannot stand in one; null when nothing is left. */
export function asIdentifier(text: string): string | null {
  const plain = text
    .trim()
    .replaceAll(/[^A-Za-z0-9._:@/-]+/g, "-")
    .replaceAll(/^[^A-Za-z0-9_]+|-+$/g, "");
  const suggestion = text.includes(" ") ? plain.toLowerCase() : plain;
  return isIdentifier(suggestion) ? suggestion : null;
}
