import type { PolicyReport, ReportedPattern } from "@svc/audit-index/audit-answers";
import { formatDecisionId } from "@svc/contract/decision-id";
import type { PolicyReportAnswer, PolicyReportGroup } from "@svc/contract/policy-report";
import type { Principal } from "@svc/contract/principal";
import { DECISIONS, GOVERNANCE_MODES } from "@svc/contract/verdict";
import { callStore, readRecord } from "../call-store.ts";
import { refuseUnknownPolicy } from "../policies/get-policy.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";
import { type AuditQueryPorts, NOT_ANSWERED } from "./audit-query-ports.ts";
import { viewIndexed } from "./audit-view.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Days of a report when none are asked for: a week of weekdays and a weekend. */
const DEFAULT_DAYS = 7;

/** Most days of one report: a quarter. Each hour of it is read. */
const MAX_DAYS = 92;

/** Groups that a report lists, as count. The totals count all. */
const MAX_GROUPS = 500;

/** Examples of each group, as count. */
const MAX_EXAMPLES = 3;

export interface PolicyReportRequest {
  readonly id: string;
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
}

type Ports = Pick<AuditQueryPorts, "log" | "auditIndex"> & Pick<ControlPlanePorts, "policies" | "clock">;

/** What a policy decided in a time, by outcome, rule and tool. */
export async function getPolicyReport(
  ports: Ports,
  { org }: Principal,
  { id, sinceMs, untilMs }: PolicyReportRequest,
): Promise<Outcome<PolicyReportAnswer>> {
  const until = Math.ceil((untilMs ?? ports.clock.now().getTime() + 1) / MINUTE_MS) * MINUTE_MS;
  const since = Math.floor((sinceMs ?? until - DEFAULT_DAYS * DAY_MS) / MINUTE_MS) * MINUTE_MS;
  if (since >= until || until - since > MAX_DAYS * DAY_MS + 2 * MINUTE_MS) return refuseTime(since, until);
  const policy = await readRecord(
    ports,
    () => ports.policies.latestPolicy(org, id),
    () => refuseUnknownPolicy(id),
  );
  if (policy.kind === "problem") return policy;
  const query = { org, policyId: id, sinceMs: since, untilMs: until };
  const found = await callStore(ports, NOT_ANSWERED, () => ports.auditIndex.report(query));
  if (found.kind === "problem") return found;
  const times = { since: new Date(since).toISOString(), until: new Date(until).toISOString() };
  return { kind: "ok", value: { policy_id: id, ...times, ...viewReport(found.value) } };
}

function refuseTime(since: number, until: number): Refusal {
  const expected = `a time of at most ${String(MAX_DAYS)} days that ends after it begins`;
  const found = `${new Date(since).toISOString()} to ${new Date(until).toISOString()}`;
  return refuse("invalid_request", `since, until: expected ${expected}, found ${found}.`);
}

function viewReport(report: PolicyReport): Omit<PolicyReportAnswer, "policy_id" | "since" | "until"> {
  const { patterns, versions, agents, sessions, behind } = report;
  const sorted = patterns.toSorted((one, other) => other.count - one.count);
  const changed = sorted.filter(({ would_be }) => would_be !== null);
  const numbers = [...new Set(patterns.map(({ version }) => version ?? 0))].toSorted(
    (one, other) => other - one,
  );
  return {
    ...totalsOf(patterns, { agents, sessions }),
    versions: numbers.map((version) => {
      const own = patterns.filter((pattern) => (pattern.version ?? 0) === version);
      const counted = versions.find((one) => one.version === version) ?? { agents: 0, sessions: 0 };
      return { policy_version: version, ...totalsOf(own, counted) };
    }),
    would_change: changed.slice(0, MAX_GROUPS).map(viewGroup),
    groups: sorted.slice(0, MAX_GROUPS).map(viewGroup),
    groups_left_out: Math.max(0, sorted.length - MAX_GROUPS),
    indexed: viewIndexed(behind),
  };
}

function totalsOf(
  patterns: readonly ReportedPattern[],
  { agents, sessions }: Pick<PolicyReport, "agents" | "sessions">,
): Omit<PolicyReportAnswer["versions"][number], "policy_version"> {
  const count = (isCounted: (pattern: ReportedPattern) => boolean): number =>
    patterns.filter(isCounted).reduce((sum, pattern) => sum + pattern.count, 0);
  const changed = (to: string): number =>
    count(({ decision, would_be }) => decision === "allow" && would_be === to);
  return {
    decisions: count(() => true),
    deny: count(({ decision }) => decision === "deny"),
    pause: count(({ decision }) => decision === "pause"),
    allow: count(({ decision }) => decision === "allow"),
    withdrawn: patterns.reduce((sum, { withdrawn }) => sum + withdrawn, 0),
    newly_denied: changed("deny"),
    newly_paused: changed("pause"),
    agents,
    sessions,
  };
}

function viewGroup(pattern: ReportedPattern): PolicyReportGroup {
  const { version, mode, decision, would_be, rule_id, would_be_rule_id, tool, count, withdrawn, examples } =
    pattern;
  return {
    policy_version: version,
    mode: GOVERNANCE_MODES.find((known) => known === mode) ?? null,
    decision: decisionOf(decision) ?? "deny",
    would_be: decisionOf(would_be),
    rule_id,
    would_be_rule_id,
    tool,
    count,
    withdrawn,
    examples: examples.slice(0, MAX_EXAMPLES).map(formatDecisionId),
  };
}

function decisionOf(text: string | null) {
  return DECISIONS.find((known) => known === text) ?? null;
}
