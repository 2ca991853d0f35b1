import type { GuardrailRecord } from "@svc/contract/guardrail";
import type { Principal } from "@svc/contract/principal";
import { callStore } from "../call-store.ts";
import { type Outcome, refuse } from "../refusal.ts";
import { type GuardrailChangePorts, NOT_CONFIRMED } from "./change-guardrail.ts";
import {
  type NamedGuardrail,
  refuseMovedGuardrail,
  refuseUnknownGuardrail,
  seenGuardrail,
} from "./get-guardrail.ts";
import { guardrailRow } from "./guardrail-row.ts";

/**
 * Removes a guardrail that no policy uses. Archived policies and earlier versions keep theirs: a rollback to
 * a version that names it is refused from then on, by the check of its document.
 */
export async function removeGuardrail(
  ports: Pick<GuardrailChangePorts, "clock" | "log" | "guardrails">,
  principal: Principal,
  named: NamedGuardrail & { readonly why: string | null },
): Promise<Outcome<GuardrailRecord>> {
  const found = await seenGuardrail(ports, principal, named);
  if (found.kind === "problem") return found;
  const { id, version } = found.value;
  const time = ports.clock.now().toISOString();
  const auditRow = guardrailRow(found.value, { action: "removed", principal, time, why: named.why });
  const change = { org: principal.org, auditRow, id, version };
  const stored = await callStore(ports, NOT_CONFIRMED, () => ports.guardrails.removeGuardrail(change));
  if (stored.kind === "problem") return stored;
  switch (stored.value.kind) {
    case "removed":
      return found;
    case "moved":
      return refuseMovedGuardrail(id);
    case "not_found":
      return refuseUnknownGuardrail(id);
    case "in_use": {
      const { count, policies } = stored.value;
      const others = count - policies.length;
      const more = others === 0 ? "" : ` and ${String(others)} more`;
      const noun = count === 1 ? "policy" : "policies";
      return refuse(
        "conflict",
        `Guardrail ${id} is in use by ${noun} ${policies.join(", ")}${more}. ` +
          "Write a version of each without it, or archive them.",
      );
    }
  }
}
