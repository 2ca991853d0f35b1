import { isJsonObject, type JsonValue } from "@svc/text/json-value";
import type { GatewayApi } from "../api/gateway-api.ts";
import { activateSwitch, isOver } from "../api/kill-switches.ts";
import { isDrillFault } from "../drill-fault.ts";
import { isTrueWithin } from "../is-true-within.ts";

/** Milliseconds in which a switch of one second must have ended, and its row must be found. */
const FOUND_WITHIN_MS = 15_000;

/** Milliseconds between two looks. */
const POLL_MS = 100;

/**
 * The gateway that ends switches by time: a short one is activated, and the log says who ended it. Null when
 * none ended it in time.
 */
export async function findLeader(api: GatewayApi, signal: AbortSignal): Promise<string | null> {
  const target = { scope: "agent", target_id: "drill-leader-question", ttl_seconds: 1 } as const;
  const { id } = await activateSwitch(api, target);
  let leader: string | null = null;
  const isFound = async (): Promise<boolean> => {
    leader = await enderOf(api, id).catch((error: unknown) => {
      // A gateway that has just started does not answer questions to the log yet.
      if (isDrillFault(error) && error.kind === "unreachable") return null;
      throw error;
    });
    return leader !== null;
  };
  await isTrueWithin(isFound, { withinMs: FOUND_WITHIN_MS, signal, pollMs: POLL_MS });
  return leader;
}

/** Null: the switch has not ended, or the log does not say so yet. */
async function enderOf(api: GatewayApi, id: string): Promise<string | null> {
  if (!(await isOver(api, id))) return null;
  const { rows } = await api.request("GET", "/api/v1/audit?kind=kill_switch&limit=50");
  return (
    (Array.isArray(rows) ? (rows as JsonValue[]) : []).map((row) => enderIn(row, id)).find(isText) ?? null
  );
}

const isText = (value: string | null): value is string => value !== null;

/** The log that holds the row, if this is the row that says that the switch ended. */
function enderIn(listed: JsonValue, id: string): string | null {
  if (!isJsonObject(listed) || !isJsonObject(listed["row"])) return null;
  const { action, kill_switch_id } = listed["row"];
  const { log_id: logId } = listed;
  return action === "expired" && kill_switch_id === id && typeof logId === "string" ? logId : null;
}
