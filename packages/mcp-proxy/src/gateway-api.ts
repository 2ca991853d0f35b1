import { isJsonObject, type JsonObject } from "@svc/contract/json-value";
import { KILL_SWITCH_SCOPES } from "@svc/contract/kill-switch";
import { MAX_PAGE_SIZE, MAX_VERDICT_BYTES } from "@svc/contract/limits";
import type { OutcomeStatus } from "@svc/contract/outcome";
import { parseStrictJson } from "@svc/contract/strict-json";
import type { GatewayAnswer } from "@svc/decision-client/answer-reader";
import type { DecisionClientSettings } from "@svc/decision-client/decision-client-settings";
import {
  createGatewayExchange,
  type GatewayExchange,
  type GatewayRequest,
} from "@svc/decision-client/gateway-exchange";
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

export function createGatewayApi(settings: DecisionClientSettings): GatewayApi {
  const exchange = createGatewayExchange({ ...settings, timeoutMs: GATEWAY_REQUEST_TIMEOUT_MS });
  const send = (request: GatewayRequest): Promise<JsonObject> => sendWithin(exchange, request);
  return {
    activeSwitches: () => listActive((path) => send({ method: "GET", path, body: null })),
    reportOutcome: async ({ decisionId, status, durationMs }) => {
      const report = { decision_id: decisionId, status, duration_ms: Math.max(0, Math.round(durationMs)) };
      await send({ method: "POST", path: "/api/v1/gateway/outcome", body: JSON.stringify(report) });
    },
    close: () => exchange.close(),
  };
}

function sendWithin(exchange: GatewayExchange, request: GatewayRequest): Promise<JsonObject> {
  const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
  const timer = setTimeout(() => {
    giveUp();
    reject(new Error(`no answer within ${String(GATEWAY_REQUEST_TIMEOUT_MS)} ms`));
  }, GATEWAY_REQUEST_TIMEOUT_MS);
  const giveUp = exchange.send(request, {
    onAnswer: (answer) => {
      clearTimeout(timer);
      const document = readDocument(answer);
      if (document === null) reject(new Error(`status ${String(answer.status)}, or no JSON object`));
      else resolve(document);
    },
    onError: (error) => {
      clearTimeout(timer);
      reject(error);
    },
  });
  return promise;
}

function readDocument({ status, body }: GatewayAnswer): JsonObject | null {
  const document = status === 200 && body !== null ? parseStrictJson(body, MAX_VERDICT_BYTES) : null;
  return document?.ok === true && isJsonObject(document.value) ? document.value : null;
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
