import { isJsonObject, type JsonValue } from "@svc/contract/json-value";
import type { GatewayApi } from "../api/gateway-api.ts";
import { activateSwitch, isOver } from "../api/kill-switches.ts";
import { comesTrue } from "../comes-true.ts";

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
    if (!(await isOver(api, id))) return false;
    const { rows } = await api.request("GET", "/api/v1/audit?kind=kill_switch&limit=50");
    leader =
      (Array.isArray(rows) ? (rows as JsonValue[]) : []).map((row) => enderIn(row, id)).find(isText) ?? null;
    return leader !== null;
  };
  await comesTrue(isFound, { withinMs: FOUND_WITHIN_MS, signal, pollMs: POLL_MS });
  return leader;
}

const isText = (value: string | null): value is string => value !== null;

/** The log that holds the row, if this is the row that says that the switch ended. */
function enderIn(listed: JsonValue, id: string): string | null {
  if (!isJsonObject(listed) || !isJsonObject(listed["row"])) return null;
  const { action, kill_switch_id } = listed["row"];
  const { log_id: logId } = listed;
  return action === "expired" && kill_switch_id === id && typeof logId === "string" ? logId : null;
}
