import type { RegoRecord } from "@svc/contract/rego-record";
import type { ModuleResult } from "./evaluation.ts";
import { maskSecretsInText } from "./mask-secrets.ts";

/** What a module said, as rows and explanations show it. A module may put arguments into its messages. */
export function moduleRecord(rego: ModuleResult): RegoRecord {
  if (rego.kind === "failed") return { deny: [], failed: rego.code, require_approval: [] };
  const masked = (messages: readonly string[]) => messages.map((message) => maskSecretsInText(message));
  return { deny: masked(rego.deny), failed: null, require_approval: masked(rego.requireApproval) };
}
