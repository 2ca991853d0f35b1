import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { ReplayRecord } from "@svc/contract/replay";
import type { StoredReplay } from "@svc/store/ports/replay-store";
import type { ControlPlanePorts } from "../ports.ts";

/** Milliseconds without a write after which the process of a replay has ended. It writes each second. */
const LOST_AFTER_MS = 60_000;

type LostPorts = Pick<ControlPlanePorts, "clock" | "replays">;

/** The replay as it stands. One whose process has ended without leaving has failed, and is stored so. */
export async function settled(ports: LostPorts, org: string, stored: StoredReplay): Promise<ReplayRecord> {
  const { record, updatedAtMs } = stored;
  const isActive = record.status === "queued" || record.status === "running";
  const now = ports.clock.now();
  if (!isActive || now.getTime() - updatedAtMs < LOST_AFTER_MS) return record;
  const failed: ReplayRecord = {
    ...record,
    status: "failed",
    reason: "The process that ran this replay has written nothing for a minute. Start the replay again.",
    ended_at: now.toISOString(),
  };
  const isStored = await ports.replays.updateReplay(org, { ...stored, record: failed });
  return isStored ? failed : ((await ports.replays.replay(org, record.id))?.record ?? failed);
}

/** Marks those of an organization as failed whose process has ended. @returns whether there was one */
export async function failLost(ports: LostPorts, org: string): Promise<boolean> {
  const page = await ports.replays.replays(org, { limit: MAX_PAGE_SIZE, after: null });
  if (page === "bad_cursor") return false;
  const records = await Promise.all(page.items.map((stored) => settled(ports, org, stored)));
  return records.some(({ status }, at) => status !== page.items[at]?.record.status);
}
