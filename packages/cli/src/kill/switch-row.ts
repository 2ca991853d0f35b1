import { type ChangeRow, findChangeRow } from "../connection/change-row.ts";
import { ControlClient } from "../connection/control-client.ts";
import type { Connection } from "../connection/resolve-connection.ts";

/** Milliseconds that the row of a switch is looked for: nobody waits longer for what has been done. */
const LOOK_MS = 1_000;

/** The switch as the server has changed it. */
export interface ChangedSwitch {
  readonly kill_switch_id: string;
  readonly expires_at: string | null;
}

const ACTIVE: ReadonlySet<unknown> = new Set(["activated", "extended"]);

/** The audit row that records the change of a switch. */
export async function findSwitchRow(
  connection: Connection,
  { kill_switch_id: id, expires_at }: ChangedSwitch,
  to: "active" | "ended",
): Promise<ChangeRow> {
  const client = new ControlClient(connection, AbortSignal.timeout(LOOK_MS));
  try {
    return await findChangeRow(client, { kind: "kill_switch" }, (row) => {
      if (row["kill_switch_id"] !== id) return false;
      if (to === "ended") return row["action"] === "deactivated" || row["action"] === "expired";
      return ACTIVE.has(row["action"]) && row["expires_at"] === expires_at;
    });
  } catch (fault) {
    // The signal of the client ended the question.
    if (fault instanceof Error && fault.name === "TimeoutError")
      return { id: null, why: "the audit log does not answer in time" };
    throw fault;
  }
}
