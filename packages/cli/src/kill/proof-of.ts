import type { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { areAllThere } from "./acknowledgement-text.ts";
import { type SwitchTarget, targetText } from "./target-text.ts";

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
