import type { ApprovalWorkflow } from "@svc/contract/approval-workflow";
import { DEFAULT_APPROVAL_SECONDS } from "@svc/contract/limits";
import type { Principal } from "@svc/contract/principal";
import { type Role, scopesOf } from "@svc/contract/role";
import { KIT_ORG } from "./kit-control.ts";
import { KitRefusal } from "./kit-refusal.ts";
import type { PolicySource } from "./read-policies.ts";

/** What a test gateway is made of. */
export interface KitSettings {
  readonly policies: readonly PolicySource[];
  /** Epoch milliseconds at which its clock stands. */
  readonly nowMs: number;
  /** Approval workflows that exist. A rule that names another one denies, as in the service. */
  readonly workflows?: readonly string[];
  /** The role of the key that asks; `agent` unless said. docs/SECURITY-MODEL.md has what each may. */
  readonly role?: string;
}

const ASKING = ["agent", "adapter", "admin"] as const satisfies readonly Role[];

/** The key that asks, as a gateway sees it. */
export function principalOf(role: string = "agent"): Principal {
  const known = ASKING.find((one) => one === role);
  if (known === undefined)
    throw new KitRefusal(`role: expected one of ${ASKING.join(", ")}, found ${JSON.stringify(role)}`);
  const scopes = scopesOf({ role: known, isBootstrap: false, isBound: false });
  return {
    id: "test-key",
    org: KIT_ORG,
    role: known,
    scopes,
    agents: null,
    namespaces: null,
    expires_at: null,
  };
}

/** Workflows with the defaults of the service. */
export function workflowsOf(ids: readonly string[], at: string): ReadonlyMap<string, ApprovalWorkflow> {
  const by = { created_at: at, created_by: "test", updated_at: at, updated_by: "test" };
  const settings: Omit<ApprovalWorkflow, "id" | keyof typeof by> = {
    version: 1,
    name: null,
    required: 1,
    approvers: { roles: null, keys: null },
    expires_in_seconds: DEFAULT_APPROVAL_SECONDS,
    channels: [],
    on_expiry: "deny",
  };
  return new Map(ids.map((id) => [id, { id, ...settings, ...by }]));
}
