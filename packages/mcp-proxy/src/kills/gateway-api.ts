import type { JsonObject, JsonValue } from "@svc/contract/json-value";
import { isJsonObject } from "@svc/contract/json-value";
import { KILL_SWITCH_SCOPES } from "@svc/contract/kill-switch";
import type { DecisionClientSettings } from "@svc/decision-client/decision-client-settings";
import { createGatewayDocuments, type GatewayDocuments } from "@svc/decision-client/gateway-documents";
import { ENDED_SWITCHES, MAX_SWITCH_LIST_BYTES } from "../limits.ts";
import type { ActiveSwitch } from "./kill-scopes.ts";

/** A switch that began or ended. */
export interface SwitchChange {
  readonly isActive: boolean;
  readonly killSwitch: ActiveSwitch;
}

/** News of kill switches from the gateway. */
export interface SwitchNews {
  /** Names the history that revisions count: those of another epoch say nothing about each other. */
  readonly epoch: string;
  readonly revision: number;
  /** True: `changes` lists all active switches. False: it lists what changed, in order. */
  readonly isComplete: boolean;
  readonly changes: readonly SwitchChange[];
}

/** What the proxy asks the gateway for, in addition to verdicts. */
export interface GatewayApi extends GatewayDocuments {
  /**
   * What changed after a revision. Resolves at once when something changed, else after about a second.
   * Rejects without a valid answer.
   * @param after null asks for the complete list
   */
  switchNews(after: number | null): Promise<SwitchNews>;
  /**
   * The ended switches that were activated last, the newest first, at most ENDED_SWITCHES. Rejects likewise.
   */
  endedSwitches(): Promise<readonly ActiveSwitch[]>;
}

export function createGatewayApi(settings: DecisionClientSettings): GatewayApi {
  const documents = createGatewayDocuments(settings);
  const get = (path: string, maxAnswerBytes: number): Promise<JsonObject> =>
    documents.send({ method: "GET", path, body: null, maxAnswerBytes });
  return {
    ...documents,
    switchNews: async (after) => {
      const query = after === null ? "" : `?after=${String(after)}`;
      return readNews(await get(`/api/v1/gateway/kill-switches${query}`, MAX_SWITCH_LIST_BYTES));
    },
    endedSwitches: async () => {
      const path = `/v1/kill-switch?status=inactive&limit=${String(ENDED_SWITCHES)}`;
      return readItems(await get(path, MAX_SWITCH_LIST_BYTES)).map(readSwitch);
    },
  };
}

function readNews(document: JsonObject): SwitchNews {
  const { epoch, revision, complete } = document;
  if (typeof revision !== "number" || !Number.isSafeInteger(revision) || typeof complete !== "boolean")
    throw new Error("news of kill switches without revision or complete");
  if (typeof epoch !== "string") throw new Error("news of kill switches without epoch");
  const changes = readItems(document).map((item) => {
    const { status } = item;
    if (status !== "active" && status !== "inactive") throw new Error("a kill switch of unknown status");
    return { isActive: status === "active", killSwitch: readSwitch(item) };
  });
  return { epoch, revision, isComplete: complete, changes };
}

function readItems({ kill_switches: items }: JsonObject): readonly JsonObject[] {
  if (!Array.isArray(items)) throw new Error("a list without kill_switches");
  return items.map((item: JsonValue) => {
    if (!isJsonObject(item)) throw new Error("a kill switch that is not an object");
    return item;
  });
}

function readSwitch(item: JsonObject): ActiveSwitch {
  const { kill_switch_id: id, target_id: target = null, account_wide: accountWide } = item;
  const scope = KILL_SWITCH_SCOPES.find((candidate) => candidate === item["scope"]);
  if (typeof id !== "string" || scope === undefined || (target !== null && typeof target !== "string"))
    throw new Error("a kill switch of unknown form");
  return { id, scope, target, accountWide: accountWide === true || scope === "global" };
}
