import type { PolicyRecord } from "@svc/contract/policy";
import type { Principal } from "@svc/contract/principal";
import type { PolicyStanding } from "@svc/store/ports/policy-store";
import {
  announcePolicyChange,
  type MeasuredAcknowledgements,
  probeUnchangedPolicy,
} from "../await-acknowledgements.ts";
import { callStore } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Refusal, refuse } from "../refusal.ts";
import { refuseUnknownPolicy } from "./get-policy.ts";
import { logPolicyChange } from "./log-policy-change.ts";
import { stateRow } from "./policy-row.ts";

export interface PolicyMove {
  readonly id: string;
  readonly to: PolicyStanding;
  readonly why: string | null;
}

export interface MovedPolicy {
  readonly kind: "moved";
  readonly record: PolicyRecord;
  readonly acknowledgements: MeasuredAcknowledgements;
}

type MovePorts = Pick<ControlPlanePorts, "clock" | "timers" | "log" | "policies" | "propagation">;

const NOT_MOVED =
  "The store did not confirm the change, so the policy may be unchanged. Repeat the call; repeating is safe.";

/**
 * Enables, disables or archives a policy. A disabled policy keeps its bindings and denies every call that it
 * governs, in every mode: no other policy takes its place. A repeat writes nothing and is acknowledged again.
 */
export async function movePolicy(
  ports: MovePorts,
  principal: Principal,
  { id, to, why }: PolicyMove,
): Promise<MovedPolicy | Refusal> {
  const { org } = principal;
  const startedMs = ports.clock.nowMs();
  const time = ports.clock.now().toISOString();
  const auditRow = stateRow({ action: to, principal, policyId: id, time, why });
  const stored = await callStore(ports, NOT_MOVED, () =>
    ports.policies.movePolicy({ org, auditRow, id, to }),
  );
  if (stored.kind === "problem") return stored;
  switch (stored.value.kind) {
    case "moved": {
      const { record } = stored.value.policy;
      logPolicyChange(ports.log, `policy ${to}`, { principal, record });
      const acknowledgements = await announcePolicyChange(ports, { ...stored.value, startedMs });
      return { kind: "moved", record, acknowledgements };
    }
    case "unchanged": {
      const { record } = stored.value.policy;
      const acknowledgements = await probeUnchangedPolicy(ports, { org, id, startedMs });
      return { kind: "moved", record, acknowledgements };
    }
    case "not_found":
      return refuseUnknownPolicy(id);
    case "guardrail_moved":
    case "guardrail_crowded":
      return refuseOldGuardrail(id, stored.value.guardrailId);
    case "assigned":
      return refuse("conflict", assignedText(id, stored.value));
  }
}

/** An archived policy keeps the guardrails that it had, so it is not brought back with old ones in force. */
function refuseOldGuardrail(id: string, guardrailId: string): Refusal {
  const path = `policies/${encodeURIComponent(id)}`;
  return refuse(
    "conflict",
    `Policy ${id} holds guardrail ${guardrailId} in a version that is not the latest any longer. Bring the ` +
      `policy back with POST ${path}/disable, send its document again with PUT ${path}, then enable it.`,
  );
}

interface Assigned {
  readonly count: number;
  readonly assignments: readonly string[];
}

function assignedText(id: string, { count, assignments }: Assigned): string {
  const others = count - assignments.length;
  const named = assignments.join(", ") + (others === 0 ? "" : ` and ${String(others)} more`);
  const noun = count === 1 ? "assignment" : "assignments";
  return (
    `Policy ${id} cannot be archived while it is assigned: ${noun} ${named}. Remove each with DELETE ` +
    "policy-assignments/<id> first. To deny its calls at once, disable it."
  );
}
