import { MAX_NAME_BYTES } from "@svc/contract/limits";
import { mayHoldSecret } from "@svc/engine/mask-secrets";
import { ownText } from "../own-text.ts";

/** Most names that are remembered, as count: some 200 KB at the longest identifiers. */
const MAX_NAMES = 1_000;

/** Names in which no detector of secrets can find anything. Changed by `isKnownPlain` alone. */
const plainNames = new Set<string>();

/**
 * Whether no detector of secrets can find anything in a name. Only names for which this is true are
 * remembered, and what a text holds never changes, so the answer is that of a look at the name itself.
 */
export function isKnownPlain(name: string): boolean {
  if (plainNames.has(name)) return true;
  if (mayHoldSecret(name)) return false;
  if (name.length > MAX_NAME_BYTES) return true;
  // Forgetting all of them costs less than knowing which one was used last.
  if (plainNames.size === MAX_NAMES) plainNames.clear();
  plainNames.add(ownText(name));
  return true;
}
