import type { ControlPlanePorts } from "@svc/control-plane/ports";
import { ReplayRunner } from "@svc/control-plane/replay-runner";
import { withinDeadline } from "@svc/http-api/within-deadline";
import { systemClock } from "@svc/process/clock";
import { digestKeyOf } from "./digest-key.ts";
import { explanationCounter } from "./explanation-counter.ts";
import type { ServerParts } from "./server-parts.ts";

export type ReplayPorts = Pick<
  ControlPlanePorts,
  "recordedCalls" | "replays" | "replayRunner" | "rowThread" | "digestKey" | "noteExplanation"
>;

export interface OpenedReplays {
  readonly runner: ReplayRunner;
  readonly ports: ReplayPorts;
}

/** Opens what makes recorded decisions again. Replays that an earlier process left behind begin again. */
export async function openReplays(parts: ServerParts): Promise<OpenedReplays> {
  const { store, log, registry, replayer } = parts;
  const { replays, recordedCalls, logId: owner } = store;
  const thread = replayer;
  const digestKey = await digestKeyOf(store);
  const running = { replays, recordedCalls, thread, clock: systemClock, log, owner, digestKey };
  const runner = new ReplayRunner(running);
  await runner.recover();
  const ports = {
    recordedCalls,
    replays: withinDeadline(replays),
    replayRunner: runner,
    rowThread: replayer,
    digestKey,
    noteExplanation: explanationCounter(registry),
  };
  return { runner, ports };
}
