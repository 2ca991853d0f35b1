import { setTimeout as delay } from "node:timers/promises";
import { listGateways } from "../support/server/cluster.ts";
import { appliedChanges, processName } from "./applied-changes.ts";
import type { Records, Trace } from "./judge/trace.ts";
import type { Round } from "./plan.ts";
import { playFaults } from "./play-faults.ts";
import { randomOf } from "./random.ts";
import { readRecords } from "./read-records.ts";
import { RestlessSwitches } from "./restless-switches.ts";
import { type Freezing, GATEWAY_IDS, KILLED_AGENTS, STEADY_AGENT, type Stage, setStage } from "./stage.ts";
import { SteadyCalls } from "./steady-calls.ts";

/** Milliseconds until every gateway must have applied the last change. */
const SETTLED_WITHIN_MS = 20_000;

const POLL_MS = 100;

export interface CampaignResult {
  readonly trace: Trace;
  readonly records: Records;
  readonly seconds: number;
  readonly activationsAsked: number;
  readonly callsNotSent: number;
  /** What each process printed, by its name. */
  readonly logs: Readonly<Record<string, readonly string[]>>;
}

/** Plays the faults under calls and changes, and records what came of it. */
export async function runCampaign(
  rounds: readonly Round[],
  seed: number,
  freezing: Freezing,
): Promise<CampaignResult> {
  const stage = await setStage(freezing);
  try {
    const startedMs = performance.now();
    const steady = new SteadyCalls(stage.gateways);
    const switches = new RestlessSwitches(stage.gateways, KILLED_AGENTS, randomOf(seed + 1));
    const faults = await playFaults(rounds, stage, steady);
    await switches.stop();
    await steady.stop();
    await everyoneSettled(stage);
    const seconds = (performance.now() - startedMs) / 1_000;
    const trace = {
      gateways: GATEWAY_IDS,
      steadyAgent: STEADY_AGENT,
      calls: steady.calls,
      kills: switches.kills,
      releases: switches.releases,
      faults,
      applied: stage.gateways.flatMap(appliedChanges),
      survivors: stage.gateways.map(({ id, processes }) => processName(id, processes.length - 1)),
    };
    const records = await readRecords(stage.databaseUrl);
    return {
      trace,
      records,
      seconds,
      activationsAsked: switches.asked,
      callsNotSent: steady.notSent,
      logs: Object.fromEntries(
        stage.gateways.flatMap(({ id, processes }) =>
          processes.map(({ lines }, at) => [processName(id, at), lines]),
        ),
      ),
    };
  } finally {
    await stage.close();
  }
}

/** @throws when a gateway does not apply the last change in time */
async function everyoneSettled({ gateways }: Stage): Promise<void> {
  const deadlineMs = performance.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const listed = await listGateways(gateways[0]?.url ?? "");
    if (listed.length === gateways.length && listed.every(({ lag }) => lag === 0)) return;
    if (performance.now() > deadlineMs)
      throw new Error(`expected every gateway to have applied everything, found ${JSON.stringify(listed)}`);
    await delay(POLL_MS);
  }
}
