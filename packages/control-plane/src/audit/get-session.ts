import type { SessionPart, SessionSummary } from "@svc/audit-index/audit-answers";
import { ANY_AUDIT_ROW } from "@svc/contract/audit-query";
import type { Principal } from "@svc/contract/principal";
import type { SessionAnswer } from "@svc/contract/session-answer";
import type { Ledger } from "@svc/store/ports/ledger";
import type { PageRequest } from "@svc/store/ports/page";
import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { parseJson } from "@svc/text/parse-json";
import { formatUsd, parseUsd } from "@svc/text/usd";
import { callStore } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, refuse } from "../refusal.ts";
import { type AuditQueryPorts, NOT_ANSWERED } from "./audit-query-ports.ts";
import { listAuditRows } from "./list-audit-rows.ts";

/** Rows of kill switches that a session shows, as count. */
const MAX_SWITCH_ROWS = 50;

/** Policy versions whose ceilings a session shows, as count: the newest. */
const MAX_VERSIONS = 20;

export interface SessionPorts extends Pick<AuditQueryPorts, "log" | "auditIndex"> {
  readonly policies: ControlPlanePorts["policies"];
  readonly ledger: Pick<Ledger, "usage">;
}

export interface SessionRequest {
  readonly agentId: string;
  readonly sessionId: string;
  readonly page: PageRequest;
}

/** The timeline of one session of one agent, with what limited and stopped it. */
export async function getSession(
  ports: SessionPorts,
  principal: Principal,
  { agentId, sessionId, page }: SessionRequest,
): Promise<Outcome<SessionAnswer>> {
  const { org } = principal;
  const own = { ...ANY_AUDIT_ROW, agents: [agentId], sessions: [sessionId] };
  const listed = await listAuditRows(ports, principal, { filter: own, page });
  if (listed.kind === "problem") return listed;
  const stops = { ...ANY_AUDIT_ROW, sessions: [sessionId], kinds: ["kill_switch" as const] };
  const first = { limit: MAX_SWITCH_ROWS, after: null };
  const stopped = await listAuditRows(ports, principal, { filter: stops, page: first });
  if (stopped.kind === "problem") return stopped;
  const read = await callStore(ports, NOT_ANSWERED, async () => {
    const summary = await ports.auditIndex.session({ org, agentId, sessionId });
    const usage = await ports.ledger.usage({ org, agentId, sessionId });
    return { summary, usage, policies: await viewPolicies(ports, org, summary) };
  });
  if (read.kind === "problem") return read;
  const { summary, usage, policies } = read.value;
  if (summary.firstAt === null || summary.lastAt === null)
    return refuse(
      "not_found",
      `This organization has no rows of session ${sessionId} of agent ${agentId}. GET audit lists the rows.`,
    );
  const session = {
    agent_id: agentId,
    session_id: sessionId,
    first_at: timeOf(summary.firstAt),
    last_at: timeOf(summary.lastAt),
    usage: { steps: usage.steps, cost_usd: formatUsd(usage.costMicroUsd) },
    decisions: summary.decisions,
    withdrawn: summary.withdrawn,
    without_outcome: summary.withoutOutcome,
    counted_rows: summary.entries,
    counted_all: summary.complete,
    policies,
    kill_switches: summary.killSwitches.map((part) => ({
      kill_switch_id: textIn(membersOf(part)["kill_switch_id"]),
      ...viewPart(part),
    })),
    switch_rows: stopped.value.rows,
    rows: listed.value.rows,
    next_cursor: listed.value.next_cursor,
    indexed: listed.value.indexed,
  };
  return { kind: "ok", value: session };
}

async function viewPolicies(
  { policies }: SessionPorts,
  org: string,
  summary: SessionSummary,
): Promise<SessionAnswer["policies"]> {
  return Promise.all(
    summary.policies.slice(0, MAX_VERSIONS).map(async (part) => {
      const members = membersOf(part);
      const policy_id = textIn(members["policy_id"]);
      const version = members["policy_version"];
      const policy_version = typeof version === "number" ? version : null;
      const stored =
        policy_version === null ? null : await policies.policyVersion(org, policy_id, policy_version);
      const ceilings = stored === null ? null : ceilingsOf(stored.record.document);
      return { policy_id, policy_version, ...viewPart(part), ceilings };
    }),
  );
}

function ceilingsOf(document: JsonObject): NonNullable<SessionAnswer["policies"][number]["ceilings"]> {
  const steps = member(document["session"], "max_steps");
  const cost = parseUsd(member(document["cost"], "max_usd_per_session"));
  return {
    max_steps: typeof steps === "number" ? steps : null,
    max_usd_per_session: cost === null ? null : formatUsd(cost),
  };
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonObject)[name] : undefined;
}

function membersOf({ text }: SessionPart): JsonObject {
  return parseJson(text) as JsonObject;
}

function viewPart({ decisions, firstAt, lastAt }: SessionPart) {
  return { decisions, first_at: timeOf(firstAt), last_at: timeOf(lastAt) };
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** The index names rows alone that have this member as a text. */
function textIn(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
