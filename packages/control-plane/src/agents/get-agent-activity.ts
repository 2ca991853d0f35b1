import type { NamedCalls, SampleCall } from "@svc/audit-index/activity";
import type { ActivityFound } from "@svc/audit-index/audit-answers";
import type { AuditIndex } from "@svc/audit-index/audit-index";
import type { AgentActivityAnswer } from "@svc/contract/agent-activity";
import { formatDecisionId } from "@svc/contract/decision-id";
import type { Principal } from "@svc/contract/principal";
import { DECISIONS, type Decision } from "@svc/contract/verdict";
import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { parseJson } from "@svc/text/parse-json";
import { NOT_ANSWERED } from "../audit/audit-query-ports.ts";
import { viewIndexed } from "../audit/audit-view.ts";
import { callStore } from "../call-store.ts";
import { type Outcome, refuse } from "../refusal.ts";
import type { AgentPorts } from "./agent-ports.ts";
import { getAgent } from "./get-agent.ts";

/** Milliseconds of the time when none is asked for: an hour. */
const DEFAULT_MS = 3_600_000;

export interface ActivityRequest {
  readonly id: string;
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
}

interface ActivityPorts extends Pick<AgentPorts, "clock" | "log" | "agents"> {
  readonly auditIndex: Pick<AuditIndex, "agents" | "agentSessions" | "activity">;
}

/** What one agent did in a time: by tool, session and rule, with sums of arguments and samples. */
export async function getAgentActivity(
  ports: ActivityPorts,
  principal: Principal,
  { id, sinceMs, untilMs }: ActivityRequest,
): Promise<Outcome<AgentActivityAnswer>> {
  const until = untilMs ?? ports.clock.now().getTime() + 1;
  const since = sinceMs ?? until - DEFAULT_MS;
  const times = { since: new Date(since).toISOString(), until: new Date(until).toISOString() };
  if (since >= until)
    return refuse(
      "invalid_request",
      `since, until: expected a time that ends after it begins, found ${times.since} to ${times.until}.`,
    );
  const agent = await getAgent(ports, principal, id);
  if (agent.kind === "problem") return agent;
  const query = { org: principal.org, agentId: id, sinceMs: since, untilMs: until };
  const found = await callStore(ports, NOT_ANSWERED, () => ports.auditIndex.activity(query));
  if (found.kind === "problem") return found;
  return { kind: "ok", value: { agent_id: id, ...times, ...viewActivity(found.value) } };
}

function viewActivity(found: ActivityFound): Omit<AgentActivityAnswer, "agent_id" | "since" | "until"> {
  const { total, tools, sessions, verdicts, behind } = found;
  return {
    deny: total?.decisions.deny ?? 0,
    pause: total?.decisions.pause ?? 0,
    allow: total?.decisions.allow ?? 0,
    withdrawn: total?.withdrawn ?? 0,
    first_at: total === null ? null : timeOf(total.firstAt),
    last_at: total === null ? null : timeOf(total.lastAt),
    tools: tools.named.map((calls) => ({
      tool: textIn(membersOf(calls)["tool"]) ?? "",
      ...calls.decisions,
      ...viewTimes(calls),
    })),
    tools_left_out: tools.leftOut,
    sessions: sessions.named.map((calls) => ({
      session_id: textIn(membersOf(calls)["session_id"]),
      ...calls.decisions,
      ...viewTimes(calls),
    })),
    sessions_left_out: sessions.leftOut,
    verdicts: verdicts.named.map(viewVerdict),
    verdicts_left_out: verdicts.leftOut,
    arguments: found.arguments,
    arguments_left_out: found.argumentsLeftOut,
    samples: found.samples.map(viewSample),
    read_calls: found.readCalls,
    counted_all: found.complete,
    indexed: viewIndexed(behind),
  };
}

function viewTimes({ withdrawn, firstAt, lastAt }: NamedCalls) {
  return { withdrawn, first_at: timeOf(firstAt), last_at: timeOf(lastAt) };
}

function viewVerdict(calls: NamedCalls): AgentActivityAnswer["verdicts"][number] {
  const row = membersOf(calls);
  const wouldBe = wouldBeIn(row);
  const { deny, pause, allow } = calls.decisions;
  return {
    decision: decisionIn(row["decision"]) ?? "deny",
    ...(wouldBe === null ? {} : { would_be: wouldBe }),
    rule_id: textIn(row["rule_id"]),
    reason: textIn(row["reason"]),
    reason_code: textIn(row["reason_code"]),
    calls: deny + pause + allow,
    ...viewTimes(calls),
  };
}

function wouldBeIn({ would_be: wouldBe }: JsonObject): Decision | null {
  if (typeof wouldBe !== "object" || wouldBe === null || Array.isArray(wouldBe)) return null;
  return decisionIn((wouldBe as JsonObject)["decision"]);
}

function viewSample({ position, text, withdrawn }: SampleCall): AgentActivityAnswer["samples"][number] {
  const row = membersOf({ text });
  const args = row["args"];
  return {
    decision_id: formatDecisionId(position),
    time: textIn(row["time"]) ?? "",
    tool: textIn(row["tool"]) ?? "",
    session_id: textIn(row["session_id"]),
    decision: decisionIn(row["decision"]) ?? "deny",
    withdrawn,
    reason: textIn(row["reason"]),
    args: typeof args === "object" && args !== null && !Array.isArray(args) ? (args as JsonObject) : {},
  };
}

function membersOf({ text }: { readonly text: string }): JsonObject {
  return parseJson(text) as JsonObject;
}

function decisionIn(value: JsonValue | undefined): Decision | null {
  return DECISIONS.find((known) => known === value) ?? null;
}

function textIn(value: JsonValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
