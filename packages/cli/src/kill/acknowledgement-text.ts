import type { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import type { Output } from "../frame/output.ts";
import { renderTable } from "../frame/render-table.ts";
import type { Piece } from "../frame/text.ts";

type Acknowledged = Pick<
  JsonAnswerOf<typeof killSwitchRoutes.activateKillSwitch>["body"],
  "gateways" | "lease_ends_at" | "note"
>;

/** A row for each gateway, and what a missing one means. */
export function acknowledgementText(
  { gateways, lease_ends_at, note }: Acknowledged,
  { isTerminal }: Pick<Output, "isTerminal">,
): Piece[] {
  const rows = gateways.map(({ id, acknowledged_ms: ms, lease_ends_at: lease }) => [
    id,
    ms === null
      ? `not yet${lease === undefined ? "" : `; denies every call from ${lease}`}`
      : `${String(ms)} ms`,
  ]);
  const pieces: Piece[] =
    rows.length === 0
      ? [`gateways  not known${lease_ends_at === undefined ? "" : `; each denies from ${lease_ends_at}`}\n`]
      : [renderTable(["GATEWAY", "CONFIRMED AFTER"], rows, isTerminal)];
  if (note !== undefined) pieces.push({ text: "note    ", as: "warning" }, `  ${note}\n`);
  return pieces;
}

/** Whether every gateway is known and has confirmed. */
export function areAllThere({ gateways }: Pick<Acknowledged, "gateways">): boolean {
  return gateways.length > 0 && gateways.every(({ acknowledged_ms: ms }) => ms !== null);
}

/** Whether the answer calls its change enforced, and its gateways prove it. */
export function isConfirmed(
  answer: Pick<Acknowledged, "gateways"> & { readonly enforced: boolean },
): boolean {
  return answer.enforced && areAllThere(answer);
}
