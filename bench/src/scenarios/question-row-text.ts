import type { JsonObject } from "@svc/text/json-value";
import { auditRowText } from "./audit-row-text.ts";

/** The agent and the tool of one row in ten thousand. */
export const RARE = { agent: "agent-rare", tool: "tool.rare" };

/** Milliseconds between two rows, so that a million rows are twenty minutes of a busy gateway. */
const STEP_MS = 1.3;

const START_MS = Date.UTC(2026, 0, 1);

/** Spreads row numbers over `count` values so that neighbours differ. */
function spread(at: number, count: number): number {
  return Math.floor((((at * 2_654_435_761) % 2 ** 32) / 2 ** 32) * count);
}

/** 200 agents, 50 tools, 20 policies and a session for every 50 calls; every tenth row is a report. */
export function questionRowText(at: number, logId: string): string {
  const time = new Date(START_MS + Math.floor(at * STEP_MS)).toISOString();
  const common = { v: 1, time, org: "default", principal: `key-${spread(at, 10)}` };
  if (at % 10 === 9) {
    const decision_id = `${logId}.${at - 3}`;
    const ended = { status: "succeeded", cost_usd: null, overage_usd: null, duration_ms: 12 };
    return JSON.stringify({ ...common, kind: "outcome", decision_id, ...ended });
  }
  const isRare = at % 10_000 === 5_000;
  const isAllowed = spread(at, 100) < 90;
  return JSON.stringify({
    ...(JSON.parse(auditRowText(at)) as JsonObject),
    ...common,
    agent_id: isRare ? RARE.agent : `agent-${spread(at, 200)}`,
    session_id: `session-${Math.floor(at / 50)}`,
    tool: isRare ? RARE.tool : `tool.${spread(at + 7, 50)}`,
    decision: isAllowed ? "allow" : "deny",
    reason: isAllowed ? null : `the rule limit-${spread(at, 40)} denies this call`,
    rule_id: isAllowed ? null : `limit-${spread(at, 40)}`,
    policy_id: `policy-${spread(at, 20)}`,
  });
}
