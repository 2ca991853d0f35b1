import { addressWords } from "../connection/address-words.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { shellWord } from "../frame/shell-word.ts";
import type { VersionDraft } from "./store-version.ts";

/** How a version is undone at the same server. */
export function undoOf({ id, base }: Pick<VersionDraft, "id" | "base">, address: ServerOptions): string {
  // No version before: what is left is to stop what the policy governs.
  if (base === null)
    return `svc-cli policies disable ${shellWord(id)}${addressWords(address)} --reason "..."`;
  return `svc-cli rollback ${shellWord(id)} --to ${String(base)}${addressWords(address)} --reason "..."`;
}
