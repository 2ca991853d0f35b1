import { formatDecisionId, parseDecisionId } from "@svc/contract/decision-id";
import type { AuditStore, StoredCheckpoint } from "@svc/store/ports/audit-store";
import type { Page, PageRequest } from "@svc/store/ports/page";
import type { RowPosition } from "@svc/store/ports/row-position";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, refuseCursor } from "../refusal.ts";

export interface CheckpointPorts extends Pick<ControlPlanePorts, "log"> {
  readonly audit: Pick<AuditStore, "heads" | "checkpoints">;
}

/** Ascending by log and size. A cursor names the last checkpoint of the page before, as `<log id>.<size>`. */
export async function listCheckpoints(
  { log, audit }: CheckpointPorts,
  { limit, after }: PageRequest,
): Promise<Outcome<Page<StoredCheckpoint>>> {
  const from = after === null ? null : parseDecisionId(after);
  if (after !== null && from === null) return refuseCursor(after);
  const read = await callStore({ log }, NOT_READ, () => checkpointsFrom(audit, from, limit + 1));
  if (read.kind === "problem") return read;
  const last = read.value.length > limit ? read.value[limit - 1] : undefined;
  const next = last === undefined ? null : formatDecisionId({ logId: last.logId, seq: last.size });
  return { kind: "ok", value: { items: read.value.slice(0, limit), next } };
}

async function checkpointsFrom(
  audit: CheckpointPorts["audit"],
  from: RowPosition | null,
  count: number,
): Promise<readonly StoredCheckpoint[]> {
  const found: StoredCheckpoint[] = [];
  const heads = (await audit.heads()).toSorted((one, other) => (one.logId < other.logId ? -1 : 1));
  for (const { logId } of heads) {
    if (from !== null && logId < from.logId) continue;
    const afterSize = from?.logId === logId ? from.seq : 0;
    found.push(...(await audit.checkpoints(logId, afterSize, count - found.length)));
    if (found.length >= count) break;
  }
  return found;
}
