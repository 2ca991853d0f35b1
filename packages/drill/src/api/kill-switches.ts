import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { isJsonObject } from "@svc/text/json-value";
import { DrillFault } from "../drill-fault.ts";
import type { Activation } from "../judge/judge-kill.ts";
import type { GatewayApi } from "./gateway-api.ts";

const PATH = "/api/v1/kill-switch";
const ACTOR = "svc-cli drill";

/** Times that a deactivation is tried: a switch of a drill must not stay. */
const END_ATTEMPTS = 5;

/** What a drill stops. */
export interface DrillTarget {
  readonly scope: "session" | "agent" | "tool" | "namespace" | "global";
  readonly target_id?: string;
  readonly ttl_seconds?: number;
}

/** A switch that the drill has made. */
export interface DrillSwitch extends Activation {
  readonly id: string;
  /** When it ends by itself; null if it does not. */
  readonly expiresAt: string | null;
}

/** @throws DrillFault when no answer comes, or when the answer does not say what is enforced. */
export async function activateSwitch(api: GatewayApi, target: DrillTarget): Promise<DrillSwitch> {
  const sentAtMs = performance.now();
  const answer = await api.request("POST", PATH, { ...target, reason: "drill", activated_by: ACTOR });
  const answeredAtMs = performance.now();
  const {
    kill_switch_id: id,
    enforced,
    gateways,
    propagation_ms: propagationMs,
    expires_at: expiresAt,
  } = answer;
  if (typeof id !== "string" || typeof enforced !== "boolean" || !Array.isArray(gateways))
    throw new DrillFault("unreachable", `POST ${PATH}: expected kill_switch_id, enforced and gateways`);
  return {
    id,
    sentAtMs,
    answeredAtMs,
    enforced,
    propagationMs: typeof propagationMs === "number" ? propagationMs : null,
    acknowledged: new Map((gateways as JsonValue[]).filter(isJsonObject).flatMap(acknowledgementOf)),
    expiresAt: typeof expiresAt === "string" ? expiresAt : null,
  };
}

function acknowledgementOf({ id, acknowledged_ms: ms }: JsonObject): readonly (readonly [string, boolean])[] {
  return typeof id === "string" ? [[id, typeof ms === "number"]] : [];
}

/** Ends a switch, with further attempts. @throws DrillFault when it may still be active. */
export async function endSwitch(api: GatewayApi, id: string): Promise<void> {
  const body = { reason: "drill over", deactivated_by: ACTOR };
  for (let attempt = 1; ; attempt += 1) {
    try {
      await api.request("DELETE", `${PATH}/${id}`, body);
      return;
    } catch (error) {
      if (attempt === END_ATTEMPTS) throw error;
    }
  }
}

/** Ends the active switches of a target, when the answer to their activation was lost. @throws DrillFault */
export async function endSwitchesOf(api: GatewayApi, targetId: string): Promise<void> {
  const { kill_switches: switches } = await api.request("GET", `${PATH}?status=active&limit=200`);
  const known = (Array.isArray(switches) ? (switches as JsonValue[]) : []).filter(isJsonObject);
  for (const { kill_switch_id: id, target_id } of known)
    if (target_id === targetId && typeof id === "string") await endSwitch(api, id);
}

/** Whether a switch is over. @throws DrillFault */
export async function isOver(api: GatewayApi, id: string): Promise<boolean> {
  return (await api.request("GET", `${PATH}/${id}`))["status"] === "inactive";
}
