import type { JsonObject } from "@svc/contract/json-value";
import { KILL_SWITCH_SCOPES } from "@svc/contract/kill-switch";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { DecisionClientSettings } from "@svc/decision-client/decision-client-settings";
import { createGatewayDocuments, type GatewayDocuments } from "@svc/decision-client/gateway-documents";
import type { ActiveSwitch } from "./kill-scopes.ts";
import { ENDED_SWITCHES } from "./limits.ts";

/** What the proxy asks of the gateway beside decisions. */
export interface GatewayApi extends GatewayDocuments {
  /** Every active switch, all pages. Rejects when no sound answer comes. */
  activeSwitches(): Promise<readonly ActiveSwitch[]>;
  /** The ENDED_SWITCHES that were activated last of those that ended, the newest first. Rejects likewise. */
  endedSwitches(): Promise<readonly ActiveSwitch[]>;
}

export function createGatewayApi(settings: DecisionClientSettings): GatewayApi {
  const documents = createGatewayDocuments(settings);
  const get: Get = (path) => documents.send({ method: "GET", path, body: null });
  return {
    ...documents,
    activeSwitches: () => listActive(get),
    endedSwitches: async () =>
      readPage(await get(`/v1/kill-switch?status=inactive&limit=${String(ENDED_SWITCHES)}`)),
  };
}

type Get = (path: string) => Promise<JsonObject>;

async function listActive(get: Get): Promise<readonly ActiveSwitch[]> {
  const switches: ActiveSwitch[] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await get(`/v1/kill-switch?status=active&limit=${String(MAX_PAGE_SIZE)}${after}`);
    const { next_cursor: next = null } = page;
    switches.push(...readPage(page));
    cursor = typeof next === "string" && next !== cursor ? next : null;
  } while (cursor !== null);
  return switches;
}

function readPage({ kill_switches: items }: JsonObject): ActiveSwitch[] {
  if (!Array.isArray(items)) throw new Error("a list without kill_switches");
  return items.map((item) => readSwitch(item as JsonObject));
}

function readSwitch(item: JsonObject): ActiveSwitch {
  const { kill_switch_id: id, target_id: target = null, account_wide: accountWide } = item;
  const scope = KILL_SWITCH_SCOPES.find((candidate) => candidate === item["scope"]);
  if (typeof id !== "string" || scope === undefined || (target !== null && typeof target !== "string"))
    throw new Error("a kill switch of unknown form");
  return { id, scope, target, accountWide: accountWide === true || scope === "global" };
}
