import type { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import type { Output } from "../frame/output.ts";
import { renderTable } from "../frame/tables.ts";
import type { Piece } from "../frame/text.ts";
import { type SwitchTarget, targetText } from "./switch-facts.ts";

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

export type Answer = JsonAnswerOf<typeof killSwitchRoutes.activateKillSwitch>["body"];
export type Rehearsed = Extract<Answer, { readonly kind: "dry_run" }>;
export type Activated = Extract<Answer, { readonly kind: "activated" }>;

/** What an answer proves of the calls that were to be stopped, or would be. */
export type Proof =
  | { readonly state: "stopped" }
  | { readonly state: "not_stopped" | "unknown"; readonly why: string };
interface Asked {
  readonly scope: string;
  readonly id: string | null;
}

/**
 * Judges an answer by its parts, and not by what it calls itself: every gateway is named and has confirmed,
 * and the switch is active and on the target that was asked for.
 */
export function proofOf(answer: Answer, { scope, id }: Asked): Proof {
  const asked = { scope, target_id: id, account_wide: scope === "global" };
  if (!isSame(answer, asked))
    return unknown(`the answer is about ${targetText(answer)}, not ${targetText(asked)}`);
  if (answer.kind === "activated" && answer.status !== "active")
    return unknown(`the answer calls the switch ${answer.status}`);
  const { gateways } = answer;
  if (gateways.length === 0) return unknown("no gateway is named, so none is known to have confirmed");
  if (!areAllThere(answer)) {
    const missing = gateways.filter(({ acknowledged_ms: ms }) => ms === null).map(({ id: name }) => name);
    const has = missing.length === 1 ? "has" : "have";
    return { state: "not_stopped", why: `everywhere: ${missing.join(", ")} ${has} not confirmed` };
  }
  if (answer.kind === "activated" && !answer.enforced)
    return unknown("the answer contradicts itself: every gateway confirmed, and it is not enforced");
  return { state: "stopped" };
}

function isSame(answer: SwitchTarget, asked: SwitchTarget): boolean {
  if (asked.account_wide) return answer.account_wide;
  return answer.scope === asked.scope && answer.target_id === asked.target_id;
}

function unknown(why: string): Proof {
  return { state: "unknown", why };
}
