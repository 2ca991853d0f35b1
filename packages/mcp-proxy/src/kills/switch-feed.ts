import { KILL_SWITCH_SCOPES } from "@svc/contract/kill-switch-scope";
import type { DecisionClientSettings } from "@svc/decision-client/decision-client-settings";
import { createGatewayDocuments } from "@svc/decision-client/gateway-documents";
import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { isJsonObject } from "@svc/text/json-value";
import { MAX_SWITCH_LIST_BYTES } from "../limits.ts";
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
  /**
   * With a complete list, the switches that have ended, those that were activated last first. Fewer than
   * ENDED_SWITCHES are all of them. Null: the gateway does not say.
   */
  readonly ended: readonly ActiveSwitch[] | null;
}

/** Reads news of kill switches over connections of its own, so that no other answer gets in the way. */
export interface SwitchFeed {
  /**
   * What changed after a revision. Resolves at once when something changed, else after half a second.
   * Rejects without a valid answer.
   * @param after null asks for the complete list
   */
  switchNews(after: number | null): Promise<SwitchNews>;
  /** Closes all connections at once. */
  close(): Promise<void>;
}

export function createSwitchFeed(settings: DecisionClientSettings): SwitchFeed {
  const documents = createGatewayDocuments(settings);
  return {
    switchNews: async (after) => {
      const path = `/api/v1/gateway/kill-switches${after === null ? "" : `?after=${String(after)}`}`;
      const request = { method: "GET", path, body: null, maxAnswerBytes: MAX_SWITCH_LIST_BYTES } as const;
      return readNews(await documents.send(request));
    },
    close: () => documents.close(),
  };
}

function readNews(document: JsonObject): SwitchNews {
  const { epoch, revision, complete } = document;
  if (typeof revision !== "number" || !Number.isSafeInteger(revision) || typeof complete !== "boolean")
    throw new Error("news of kill switches without revision or complete");
  if (typeof epoch !== "string") throw new Error("news of kill switches without epoch");
  const changes = readItems(document["kill_switches"]).map((item) => {
    const { status } = item;
    if (status !== "active" && status !== "inactive") throw new Error("a kill switch of unknown status");
    return { isActive: status === "active", killSwitch: readSwitch(item) };
  });
  const { ended = null } = document;
  return {
    epoch,
    revision,
    isComplete: complete,
    changes,
    ended: ended === null ? null : readItems(ended).map(readSwitch),
  };
}

function readItems(items: JsonValue | undefined): readonly JsonObject[] {
  if (!Array.isArray(items)) throw new Error("expected a list of kill switches");
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
