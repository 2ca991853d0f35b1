import { MAX_LABELS } from "@svc/contract/limits";
import type { PolicyRecord } from "@svc/contract/policy";
import type { PolicyPatch } from "@svc/contract/policy-labels";
import type { Principal } from "@svc/contract/principal";
import { callStore } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, refuse } from "../refusal.ts";
import { refuseUnknownPolicy } from "./get-policy.ts";
import { logPolicyChange } from "./log-policy-change.ts";
import { stateRow } from "./policy-row.ts";

export interface PolicyLabelling extends PolicyPatch {
  readonly id: string;
}

const NOT_LABELLED =
  "The store did not confirm the change, so the labels may be unchanged. Repeat the call; repeating is safe.";

/** Sets and removes labels of a policy. Labels change no decision, so no gateway is told. */
export async function labelPolicy(
  ports: Pick<ControlPlanePorts, "clock" | "log" | "policies">,
  principal: Principal,
  { id, labels, why }: PolicyLabelling,
): Promise<Outcome<PolicyRecord>> {
  const { org } = principal;
  const time = ports.clock.now().toISOString();
  const auditRow = stateRow({ action: "labelled", principal, policyId: id, time, why, labels });
  const stored = await callStore(ports, NOT_LABELLED, () =>
    ports.policies.labelPolicy({ org, auditRow, id, labels }),
  );
  if (stored.kind === "problem") return stored;
  switch (stored.value.kind) {
    case "labelled": {
      const { record } = stored.value.policy;
      logPolicyChange(ports.log, "policy labelled", { principal, record });
      return { kind: "ok", value: record };
    }
    case "not_found":
      return refuseUnknownPolicy(id);
    case "too_many": {
      const count = String(stored.value.count);
      return refuse("limit_reached", `A policy has at most ${String(MAX_LABELS)} labels, not ${count}.`);
    }
  }
}
