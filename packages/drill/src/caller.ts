import { setTimeout as delay } from "node:timers/promises";
import { parseDecisionId } from "@svc/contract/decision-id";
import type { DrillCall, GatewayApi } from "./api/gateway-api.ts";
import type { Observation } from "./observation.ts";

/** Most answers that one caller keeps, as count: an hour of calls 5 ms apart. */
const MAX_OBSERVATIONS = 720_000;

export interface CallerOptions {
  /** Asked before each call: a process that was started again has another address. */
  readonly apiOf: () => GatewayApi;
  readonly call: DrillCall;
  /** The gateway's id. Null: the row that an answer names says which gateway it was. */
  readonly gateway: string | null;
  /** Pause between an answer and the next call. */
  readonly pauseMs: number;
}

/** Calls that follow each other until they are stopped. One is under way at a time. */
export interface Caller {
  readonly observations: readonly Observation[];
  /** Sends no more. Resolves when the last call is over. */
  stop(): Promise<void>;
}

export function startCaller({ apiOf, call, gateway, pauseMs }: CallerOptions): Caller {
  const observations: Observation[] = [];
  let isRunning = true;
  const run = async (): Promise<void> => {
    while (isRunning && observations.length < MAX_OBSERVATIONS) {
      const api = apiOf();
      const sentAtMs = performance.now();
      const { outcome, decisionId } = await api.execute(call);
      const endedAtMs = performance.now();
      const named = gateway ?? parseDecisionId(decisionId ?? "")?.logId ?? api.url.host;
      observations.push({ gateway: named, sentAtMs, endedAtMs, outcome, decisionId });
      await delay(pauseMs);
    }
  };
  const running = run();
  return {
    observations,
    stop: () => {
      isRunning = false;
      return running;
    },
  };
}
