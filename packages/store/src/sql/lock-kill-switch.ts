import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import { parseJson } from "@svc/text/parse-json";
import type { TransactionContext } from "./store-context.ts";

export function parseRecord(text: string): KillSwitchRecord {
  return parseJson(text) as KillSwitchRecord;
}

/** Reads a switch that does not change until the transaction ends; null when there is none. */
export async function lockKillSwitch(
  { trx, dialect }: TransactionContext,
  org: string,
  id: string,
): Promise<KillSwitchRecord | null> {
  const row = await trx
    .selectFrom("kill_switches")
    .select("record")
    .where("org", "=", org)
    .where("id", "=", id)
    .$if(dialect === "postgres", (query) => query.forUpdate())
    .executeTakeFirst();
  return row === undefined ? null : parseRecord(row.record);
}
