import type { Principal } from "@svc/contract/principal";
import type { Problem } from "@svc/contract/problem";
import type { Verdict } from "@svc/contract/verdict";
import type { Gateway } from "@svc/gateway/gateway";
import type { Exchange } from "@svc/http-edge/exchange";
import { parseCallBody } from "./parse-call-body.ts";

/** A call that may wait on its connection while its agent is suspended. */
export interface WaitingCall {
  readonly principal: Principal;
  readonly exchange: Pick<Exchange, "setHeader">;
  readonly bytes: Buffer;
  readonly waitMs: number;
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal;
}

type Decided = Verdict | Problem | null;

/**
 * Answers a held call when its agent has recovered or was terminated, and otherwise as it was judged first
 * when the time is over. Each answer but that one is a new judgement, made in the order of the waiting calls.
 * @param first the judgement on the call
 * @param decide judges the call anew
 */
export async function waitForRecovery(
  { heldQueue }: Pick<Gateway, "heldQueue">,
  call: WaitingCall,
  first: Decided,
  decide: () => Promise<Decided>,
): Promise<Decided> {
  if (!isHeld(first)) return first;
  const { principal, exchange, bytes, waitMs, signal } = call;
  const request = parseCallBody(bytes);
  if (request.kind === "problem") return first;
  const { agent_id: agentId, session_id: sessionId } = request.value;
  const place = heldQueue.enter({ caller: { org: principal.org, agentId, sessionId }, waitMs, signal });
  if (place === null) return first;
  exchange.setHeader("preference-applied", `wait=${String(waitMs / 1_000)}`);
  try {
    let decided: Decided = first;
    while (isHeld(decided)) {
      if ((await place.untilTurn()) === "over") return decided;
      decided = await decide();
    }
    return decided;
  } finally {
    place.leave();
  }
}

function isHeld(decided: Decided): boolean {
  if (decided === null || !("decision" in decided)) return false;
  return decided.decision === "pause" && decided.reason_code === "agent_suspended";
}
