import { isJsonObject, type JsonObject } from "@svc/contract/json-value";
import { KILL_SWITCH_SCOPES } from "@svc/contract/kill-switch";
import { MAX_PAGE_SIZE, MAX_VERDICT_BYTES } from "@svc/contract/limits";
import type { OutcomeStatus } from "@svc/contract/outcome";
import { parseStrictJson } from "@svc/contract/strict-json";
import type { DecisionClientSettings } from "@svc/decision-client/decision-client-settings";
import { Pool } from "undici";
import type { ActiveSwitch } from "./kill-scopes.ts";
import { GATEWAY_REQUEST_TIMEOUT_MS } from "./limits.ts";

export interface Outcome {
  readonly decisionId: string;
  readonly status: OutcomeStatus;
  readonly durationMs: number;
}

/** What the proxy asks of the gateway beside decisions. Both reject when no sound answer comes. */
export interface GatewayApi {
  /** Every active switch, all pages. */
  activeSwitches(): Promise<readonly ActiveSwitch[]>;
  reportOutcome(outcome: Outcome): Promise<void>;
  close(): Promise<void>;
}

/** Connections: one for the list, the others for reports. */
const MAX_CONNECTIONS = 16;

export function createGatewayApi({ gatewayUrl, apiKey, orgId }: DecisionClientSettings): GatewayApi {
  const pool = new Pool(gatewayUrl.origin, { connections: MAX_CONNECTIONS, pipelining: 1, allowH2: false });
  const prefix = gatewayUrl.pathname.replace(/\/+$/, "");
  const headers = {
    accept: "application/json",
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
    ...(orgId === null ? {} : { "x-svc-org-id": orgId }),
  };
  const send = async (method: "GET" | "POST", path: string, body: object | null): Promise<JsonObject> => {
    const answer = await pool.request({
      method,
      path: `${prefix}${path}`,
      headers: body === null ? headers : { ...headers, "content-type": "application/json" },
      body: body === null ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(GATEWAY_REQUEST_TIMEOUT_MS),
    });
    const bytes = await answer.body.bytes();
    if (answer.statusCode !== 200) throw new Error(`status ${String(answer.statusCode)}`);
    const document = parseStrictJson(bytes, MAX_VERDICT_BYTES);
    if (!document.ok || !isJsonObject(document.value)) throw new Error("an answer that is no JSON object");
    return document.value;
  };
  return {
    activeSwitches: () => listActive((path) => send("GET", path, null)),
    reportOutcome: async ({ decisionId, status, durationMs }) => {
      const body = { decision_id: decisionId, status, duration_ms: Math.max(0, Math.round(durationMs)) };
      await send("POST", "/api/v1/gateway/outcome", body);
    },
    close: () => pool.destroy(),
  };
}

async function listActive(get: (path: string) => Promise<JsonObject>): Promise<readonly ActiveSwitch[]> {
  const switches: ActiveSwitch[] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await get(`/v1/kill-switch?status=active&limit=${String(MAX_PAGE_SIZE)}${after}`);
    const { kill_switches: items, next_cursor: next = null } = page;
    if (!Array.isArray(items)) throw new Error("a list without kill_switches");
    switches.push(...items.map((item) => readSwitch(item as JsonObject)));
    cursor = typeof next === "string" && next !== cursor ? next : null;
  } while (cursor !== null);
  return switches;
}

function readSwitch(item: JsonObject): ActiveSwitch {
  const { kill_switch_id: id, target_id: target = null, account_wide: accountWide } = item;
  const scope = KILL_SWITCH_SCOPES.find((candidate) => candidate === item["scope"]);
  if (typeof id !== "string" || scope === undefined || (target !== null && typeof target !== "string"))
    throw new Error("a kill switch of unknown form");
  return { id, scope, target, accountWide: accountWide === true || scope === "global" };
}
