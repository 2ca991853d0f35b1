import type { QuarantineRecord } from "@svc/contract/quarantine";
import type { Severity } from "@svc/contract/severity";
import type { AuditedChange } from "./audited-change.ts";

/** A registered agent at rest. Times are RFC 3339 UTC with milliseconds. */
export interface StoredAgent {
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly provider: string | null;
  readonly tags: readonly string[];
  readonly capabilities: readonly string[];
  readonly parent_agent_id: string | null;
  readonly quarantine: QuarantineRecord | null;
  readonly registered_at: string;
  readonly created_by: string;
  /** Counts the changes of this registration, from 1. */
  readonly version: number;
}

/**
 * What a change was made from. A registration of the same id that came after a removal has the same versions,
 * so the version alone does not name it.
 */
export type AgentState = Pick<StoredAgent, "id" | "registered_at" | "version">;

/** Why the parent of an agent is not taken. `chain` names the agents from the parent upwards. */
export type ParentRefusal =
  | { readonly kind: "parent_missing" }
  | { readonly kind: "parent_cycle"; readonly chain: readonly string[] }
  | { readonly kind: "parent_too_deep" };

/** Which agents a list shows. Null: all. */
export interface AgentFilter {
  readonly namespaces: readonly string[] | null;
  /** Only agents of these ids. */
  readonly ids: readonly string[] | null;
  readonly tag: string | null;
  /** A text in the id, the name or the provider, whatever its case. */
  readonly text: string | null;
}

/** The supervised sessions of an agent together. */
export interface AgentSupervision {
  readonly id: string;
  /** Of the session with the latest heartbeat. */
  readonly namespace: string;
  /** The worst of its sessions. */
  readonly severity: Severity;
  /** Unix milliseconds: the latest of any session. */
  readonly lastHeartbeatMs: number;
}

/** Which agents with supervised sessions are asked for. */
export interface SupervisedPage {
  /** With a session of one of these severities above INFO; null: of any severity, also INFO. */
  readonly severities: readonly Severity[] | null;
  /** Only agents of these ids; null: all. */
  readonly ids: readonly string[] | null;
  /** A text in the id, whatever its case; null: any. */
  readonly text: string | null;
  /** Only ids behind this one; null: from the first. */
  readonly after: string | null;
  readonly limit: number;
}

/**
 * Registered agents. A change that gateways act by (namespace, quarantine, registration) is a control event.
 */
export interface AgentStore {
  /** The agent must have version 1. */
  registerAgent(
    change: AuditedChange & { readonly agent: StoredAgent },
  ): Promise<
    | { readonly kind: "registered"; readonly revision: number }
    | { readonly kind: "existing"; readonly agent: StoredAgent }
    | { readonly kind: "too_many" }
    | ParentRefusal
  >;
  /**
   * Replaces the registration of `agent`, if its version is still the one before that of `agent`. `moved`:
   * another change came first, and nothing was written.
   */
  replaceAgent(
    change: AuditedChange & { readonly agent: StoredAgent },
  ): Promise<
    { readonly kind: "replaced"; readonly revision: number } | { readonly kind: "moved" } | ParentRefusal
  >;
  /** Removes an agent that is still in this state, without quarantine and children. */
  removeAgent(change: AuditedChange & { readonly agent: AgentState }): Promise<
    | { readonly kind: "removed"; readonly revision: number }
    | { readonly kind: "moved" }
    | { readonly kind: "quarantined" }
    /** At most ten of them. */
    | { readonly kind: "has_children"; readonly children: readonly string[] }
  >;
  agent(org: string, id: string): Promise<StoredAgent | null>;
  /** The present control state. A gateway that has acknowledged it acts by every change read before. */
  controlRevision(): Promise<number>;
  /** Those of these ids that are registered, by id. */
  agentsNamed(org: string, ids: readonly string[]): Promise<readonly StoredAgent[]>;
  /** Of those of these agents that have supervised sessions, registered or not. */
  supervision(org: string, ids: readonly string[]): Promise<readonly AgentSupervision[]>;
  /** At most `limit` ids of agents that `supervision` knows, registered or not, by id. */
  supervisedAgents(org: string, page: SupervisedPage): Promise<readonly string[]>;
  /** At most `limit` agents that fit, by id, behind the id `after`. */
  agents(
    org: string,
    page: { readonly filter: AgentFilter; readonly after: string | null; readonly limit: number },
  ): Promise<readonly StoredAgent[]>;
}
