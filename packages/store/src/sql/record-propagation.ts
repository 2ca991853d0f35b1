import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import { lockKillSwitch } from "./lock-kill-switch.ts";
import { inTransaction, type StoreContext } from "./store-context.ts";

interface MeasuredSwitch {
  readonly org: string;
  /** As the activation wrote it. */
  readonly record: KillSwitchRecord;
  readonly propagationMs: number;
}

/** Notes how long an activation took to arrive. */
export async function recordPropagation(context: StoreContext, measured: MeasuredSwitch): Promise<void> {
  const { org, record, propagationMs } = measured;
  const { kill_switch_id: id } = record;
  // One statement instead of a transaction, which would be one more thing that the gateways wait for.
  const { numUpdatedRows } = await context.db
    .updateTable("kill_switches")
    .set({ record: JSON.stringify({ ...record, propagation_ms: propagationMs }) })
    .where("org", "=", org)
    .where("id", "=", id)
    .where("record", "=", JSON.stringify(record))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) await recordAtChanged(context, measured);
}

/** Notes it at a switch that was extended or ended meanwhile. */
async function recordAtChanged(
  context: StoreContext,
  { org, record: { kill_switch_id: id }, propagationMs }: MeasuredSwitch,
): Promise<void> {
  await inTransaction(context, async (inside) => {
    const found = await lockKillSwitch(inside, org, id);
    if (found === null)
      throw new Error(`kill switch ${id}: expected a stored one to note its propagation at`);
    await inside.trx
      .updateTable("kill_switches")
      .set({ record: JSON.stringify({ ...found, propagation_ms: propagationMs }) })
      .where("org", "=", org)
      .where("id", "=", id)
      .execute();
  });
}
