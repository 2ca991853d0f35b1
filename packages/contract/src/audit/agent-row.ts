import type { TriggerSource } from "../kill-switches/kill-switch.ts";

/** A change of an agent's registration, of its quarantine or of its supervision by a person. */
export interface AgentRow {
  readonly v: 1;
  readonly kind: "agent";
  /** RFC 3339 UTC with milliseconds. */
  readonly time: string;
  readonly org: string;
  readonly principal: string;
  readonly action:
    | "registered"
    | "adopted"
    | "updated"
    | "removed"
    | "quarantined"
    | "quarantine_extended"
    | "quarantine_lifted"
    | "quarantine_expired"
    | "reauthenticated"
    | "reregistered";
  readonly agent_id: string;
  readonly session_id: string | null;
  /** After the change; in `removed` the one before. */
  readonly namespace: string;
  /** The one before, where the change moved the agent; else null. */
  readonly previous_namespace: string | null;
  /** After the change, with secrets masked; null unless the row records a registration. */
  readonly registration: AuditedRegistration | null;
  /** Why, with secrets masked; null where nobody is asked. */
  readonly reason: string | null;
  /** Who or what the request named; null where it names nobody. */
  readonly actor: string | null;
  readonly trigger_source: TriggerSource;
  /** When the quarantine ends; null without an end and in rows of other actions. */
  readonly expires_at: string | null;
}

export interface AuditedRegistration {
  readonly name: string;
  readonly provider: string | null;
  readonly tags: readonly string[];
  readonly capabilities: readonly string[];
  readonly parent_agent_id: string | null;
}
