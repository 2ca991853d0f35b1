import type { AuditIndex } from "@svc/audit-index/audit-index";
import type { AgentCalls, BusySort } from "@svc/audit-index/read-busy-agents";
import type { BusyAgentsAnswer } from "@svc/contract/agent-activity";
import type { Principal } from "@svc/contract/principal";
import { formatUsd } from "@svc/text/usd";
import { NOT_ANSWERED } from "../audit/audit-query-ports.ts";
import { viewIndexed } from "../audit/audit-view.ts";
import { callStore } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, refuse } from "../refusal.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Minutes of the time when none is asked for: a change shows soon, and a single call is not much. */
const DEFAULT_MINUTES = 5;

/** Hours of the longest time. */
const MAX_HOURS = 24;

export interface BusyAgentsRequest {
  readonly sinceMs: number | null;
  readonly sort: BusySort;
  readonly limit: number;
}

interface BusyAgentsPorts extends Pick<ControlPlanePorts, "clock" | "log"> {
  readonly auditIndex: Pick<AuditIndex, "busyAgents">;
}

/** The agents that called most since a time, beside the hour before it. */
export async function listBusyAgents(
  ports: BusyAgentsPorts,
  { org }: Principal,
  { sinceMs, sort, limit }: BusyAgentsRequest,
): Promise<Outcome<BusyAgentsAnswer>> {
  const nowMs = ports.clock.now().getTime();
  const wanted = sinceMs ?? nowMs - DEFAULT_MINUTES * MINUTE_MS;
  if (wanted > nowMs || wanted < nowMs - MAX_HOURS * HOUR_MS)
    return refuse(
      "invalid_request",
      `since: expected a time of the last ${String(MAX_HOURS)} hours, ` +
        `found ${new Date(wanted).toISOString()}.`,
    );
  // A rate over a few seconds would say little, so the time has a minute at least.
  const since = Math.floor(Math.min(wanted, nowMs - MINUTE_MS) / MINUTE_MS) * MINUTE_MS;
  const end = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS;
  const before = since - HOUR_MS;
  const query = { org, sinceMs: since, untilMs: end, beforeMs: before, sort, limit };
  const found = await callStore(ports, NOT_ANSWERED, () => ports.auditIndex.busyAgents(query));
  if (found.kind === "problem") return found;
  const { agents, callers, complete, behind, knownSinceMs } = found.value;
  const earlierMs = since - Math.max(before, knownSinceMs ?? since);
  const answer = {
    since: new Date(since).toISOString(),
    until: new Date(nowMs).toISOString(),
    before: new Date(before).toISOString(),
    known_since: knownSinceMs === null ? null : new Date(knownSinceMs).toISOString(),
    agents: agents.map(({ id, namespace, busiestMinute, before: earlier, ...calls }) => {
      const viewed = viewCalls(calls, nowMs - since);
      // Some minute had the average at least, though none that the index counts: they begin with the clock.
      const busiest_minute = Math.max(busiestMinute, Math.ceil(viewed.calls_per_minute));
      return { agent_id: id, namespace, ...viewed, busiest_minute, before: viewCalls(earlier, earlierMs) };
    }),
    callers,
    counted_all: complete,
    indexed: viewIndexed(behind),
  };
  return { kind: "ok", value: answer };
}

function viewCalls({ calls, deny, pause, costMicroUsd, sessions }: AgentCalls, lengthMs: number) {
  const rate = lengthMs > 0 ? (calls * MINUTE_MS) / lengthMs : 0;
  return {
    calls,
    calls_per_minute: Math.round(rate * 100) / 100,
    deny,
    pause,
    cost_usd: formatUsd(costMicroUsd),
    sessions,
  };
}
