import { parseRowText, type ReadableRow } from "@svc/audit-log/parse-row-text";
import { parseDecisionId } from "@svc/contract/decision-id";
import type { RowPosition } from "@svc/store/ports/row-position";
import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { parseUsd } from "@svc/text/usd";

/** What can be asked of a row: its members by the names of filters. Null: the row does not have it. */
export interface RowFacts {
  readonly org: string;
  readonly kind: string;
  /** Unix milliseconds; null when the time cannot be read. */
  readonly at: number | null;
  readonly agent: string | null;
  readonly session: string | null;
  readonly tool: string | null;
  readonly namespace: string | null;
  readonly rule: string | null;
  readonly policy: string | null;
  readonly principal: string | null;
  readonly approval: string | null;
  readonly mode: string | null;
  readonly decision: string | null;
  readonly wouldBe: string | null;
  readonly wouldBeRule: string | null;
  readonly reason: string | null;
  readonly policyVersion: number | null;
  readonly killSwitch: string | null;
  /** Micro-USD that a decision charged, or that its report adds to the charge. */
  readonly costMicroUsd: number;
  /** The decision that the row reports about. */
  readonly about: RowPosition | null;
  readonly row: ReadableRow;
}

/** What reports about a decision take from it. It holds no row, so that keeping many takes little memory. */
export type DecisionFacts = Pick<
  RowFacts,
  | "org"
  | "at"
  | "agent"
  | "session"
  | "tool"
  | "namespace"
  | "rule"
  | "policy"
  | "policyVersion"
  | "mode"
  | "decision"
  | "wouldBe"
  | "wouldBeRule"
  | "costMicroUsd"
>;

/** Largest distance from 1970 in milliseconds that `Date` can hold. */
const MAX_TIME_MS = 8_640_000_000_000_000;

/**
 * Reads a stored row of any kind by the names of its members, also of kinds that this version does not know.
 * @returns null for bytes that are not a row of a known version, which no organization owns
 */
export function readFacts(bytes: Uint8Array): RowFacts | null {
  const reading = parseRowText(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"),
  );
  if (reading.kind !== "row") return null;
  const { row } = reading;
  const { org, kind, time } = row;
  const at = Date.parse(time);
  return {
    org,
    kind,
    at: Math.abs(at) <= MAX_TIME_MS ? at : null,
    ...targetOf(row),
    rule: text(row["rule_id"]),
    policy: text(row["policy_id"]),
    principal: text(row["principal"]),
    approval: text(row["approval_id"]),
    mode: text(row["mode"]),
    decision: kind === "decision" ? text(row["decision"]) : null,
    wouldBe: kind === "decision" ? text(member(row["would_be"], "decision")) : null,
    wouldBeRule: text(member(row["would_be"], "rule_id")),
    reason: text(row["reason"]) ?? text(row["why"]),
    policyVersion: number(row["policy_version"]),
    killSwitch: text(row["kill_switch_id"]),
    costMicroUsd: parseUsd(row[kind === "outcome" ? "overage_usd" : "cost_usd"]) ?? 0,
    about: kind === "outcome" ? positionOf(row["decision_id"]) : null,
    row,
  };
}

/** A kill switch on an agent, a session, a tool or a namespace is found under the name of its target. */
function targetOf(row: JsonObject): Pick<RowFacts, "agent" | "session" | "tool" | "namespace"> {
  const target = row["kind"] === "kill_switch" ? text(row["target_id"]) : null;
  const named = (scope: string, field: string): string | null =>
    text(row[field]) ?? (row["scope"] === scope ? target : null);
  return {
    agent: named("agent", "agent_id"),
    session: named("session", "session_id"),
    tool: named("tool", "tool"),
    namespace: named("namespace", "namespace"),
  };
}

/** What a report says of its call is what the decision says. */
export function withDecision(facts: RowFacts, decision: DecisionFacts | null): RowFacts {
  if (decision === null || decision.org !== facts.org) return facts;
  const { agent, session, tool, namespace, rule, policy } = decision;
  return { ...facts, agent, session, tool, namespace, rule, policy };
}

function positionOf(value: JsonValue | undefined): RowPosition | null {
  return typeof value === "string" ? parseDecisionId(value) : null;
}

export function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)[name]
    : undefined;
}

function number(value: JsonValue | undefined): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : null;
}

export function text(value: JsonValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}
