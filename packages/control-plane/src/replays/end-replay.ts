import type { Principal } from "@svc/contract/principal";
import type { ReplayRecord } from "@svc/contract/replay";
import { callStore } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Outcome } from "../refusal.ts";
import { getReplay, unknownReplay } from "./get-replay.ts";

const NOT_KNOWN = "The store did not confirm the change. Read the replay, and try again.";

/** Cancels a replay that waits or runs, and removes one that has ended. */
export async function endReplay(
  ports: Pick<ControlPlanePorts, "log" | "clock" | "replays" | "replayRunner">,
  principal: Principal,
  id: string,
): Promise<Outcome<ReplayRecord>> {
  const { org } = principal;
  const found = await getReplay(ports, principal, id);
  if (found.kind === "problem") return found;
  const record = found.value;
  const isActive = record.status === "queued" || record.status === "running";
  const ended = await callStore(ports, NOT_KNOWN, async (): Promise<ReplayRecord | null> => {
    if (!isActive) {
      await ports.replays.removeReplay(org, id);
      return record;
    }
    const cancelled: ReplayRecord = {
      ...record,
      status: "cancelled",
      ended_at: ports.clock.now().toISOString(),
    };
    const isCancelled = await ports.replays.updateReplay(org, ports.replayRunner.stored(cancelled));
    // It may have ended in between: then it stays, and a second request removes it.
    return isCancelled ? cancelled : ((await ports.replays.replay(org, id))?.record ?? null);
  });
  if (ended.kind === "problem") return ended;
  if (isActive) ports.replayRunner.cancel(org, id);
  return ended.value === null ? unknownReplay(id) : { kind: "ok", value: ended.value };
}
