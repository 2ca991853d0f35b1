import { problem } from "@svc/contract/problem";
import { confirmKillSwitch } from "@svc/control-plane/confirm-kill-switch";
import { viewKillSwitch } from "@svc/control-plane/kill-switch-view";
import { parseJson } from "@svc/text/parse-json";
import type { AnyReply, RequestContext } from "./handler.ts";

/**
 * The answer to a repeated activation: what was done, and what holds now. The switch may have ended since its
 * first answer, got a later end, or reached more gateways.
 */
export async function repeatedActivation(earlier: AnyReply, context: RequestContext): Promise<AnyReply> {
  const activated = earlier.kind === "text" ? activatedSwitch(earlier.text) : null;
  if (earlier.kind !== "text" || activated === null) return earlier;
  const { ports, principal } = context;
  const outcome = await confirmKillSwitch(ports, principal, activated);
  switch (outcome.kind) {
    case "problem":
      return outcome;
    case "ended": {
      const { kill_switch_id: id, ended_at, ended_by, end_reason } = outcome.record;
      const detail =
        `This request was carried out before and activated kill switch ${id}, which ended at ` +
        `${String(ended_at)} by ${String(ended_by)}: ${String(end_reason)}. It stops NOTHING now. ` +
        "To stop the calls again, repeat the activation with a new Idempotency-Key.";
      return { kind: "problem", problem: problem("conflict", detail) };
    }
    case "active": {
      const body = viewKillSwitch(outcome.answer, ports.clock.now());
      return { kind: "json", status: earlier.status, body };
    }
  }
}

/** Null for the answer of a dry run, which activated nothing. */
function activatedSwitch(text: string): { readonly id: string; readonly extended: boolean } | null {
  const { kill_switch_id: id, extended } = parseJson(text) as Readonly<Record<string, unknown>>;
  return typeof id === "string" ? { id, extended: extended === true } : null;
}
