import type { PolicyRecord, PolicyState, PolicyVersionRecord } from "@svc/contract/policy";
import type { Principal } from "@svc/contract/principal";
import type { Diagnostic } from "@svc/engine/diagnostic";
import { refuseOtherAgent } from "../assignments/refuse-bound.ts";
import { announcePolicyChange, type MeasuredAcknowledgements } from "../await-acknowledgements.ts";
import { callStore } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Refusal, refuse } from "../refusal.ts";
import { refuseUnknownPolicy } from "./get-policy.ts";
import { logPolicyChange } from "./log-policy-change.ts";
import { versionRow } from "./policy-row.ts";
import type { ReadDocument } from "./read-document.ts";
import { namedGuardrails, refuseGuardrail, storedVersion } from "./stored-version.ts";

export interface AppendedVersion {
  readonly kind: "appended";
  readonly record: PolicyRecord;
  readonly warnings: readonly Diagnostic[];
  readonly acknowledgements: MeasuredAcknowledgements;
}

export type AppendPorts = Pick<ControlPlanePorts, "clock" | "timers" | "log" | "policies" | "propagation">;

export interface VersionDraft {
  /**
   * The version that the new one follows. If another version came in between, the result is `version_moved`.
   */
  readonly latest: PolicyRecord;
  readonly document: ReadDocument;
  /** Null for an ordinary change. */
  readonly rolledBackTo: number | null;
  readonly why: string | null;
}

const NOT_APPENDED =
  "The store did not confirm the change, so the policy may be unchanged. " +
  "Read its latest version before you try again.";

/**
 * Appends the version after `latest`, audits it and announces it. A disabled policy stays disabled, and no
 * binding changes. An update whose document names an agent that the policy is not bound to is refused. A
 * rollback restores the text whichever agent it names, and the current bindings apply to it.
 */
export async function appendVersion(
  ports: AppendPorts,
  principal: Principal,
  { latest, document, rolledBackTo, why }: VersionDraft,
): Promise<AppendedVersion | Refusal> {
  const { policy: compiled, warnings } = document;
  const startedMs = ports.clock.nowMs();
  const createdAt = ports.clock.now().toISOString();
  const version: PolicyVersionRecord = {
    id: latest.id,
    version: latest.version + 1,
    name: compiled.name,
    document: document.document,
    created_at: createdAt,
    created_by: principal.id,
    rolled_back_to: rolledBackTo,
    why,
    ...namedGuardrails(compiled),
  };
  const boundAgent = rolledBackTo === null ? compiled.agentId : null;
  const action = rolledBackTo === null ? "updated" : "rolled_back";
  const auditRow = versionRow({ action, principal, record: version, document });
  const policy = storedVersion(version, document);
  const stored = await callStore(ports, NOT_APPENDED, () =>
    ports.policies.appendPolicyVersion({ org: principal.org, auditRow, policy, boundAgent }),
  );
  if (stored.kind === "problem") return stored;
  switch (stored.value.kind) {
    case "appended": {
      const record = withState(version, stored.value.state);
      logPolicyChange(ports.log, rolledBackTo === null ? "policy updated" : "policy rolled back", {
        principal,
        record,
        warnings,
      });
      return {
        kind: "appended",
        record,
        warnings,
        acknowledgements: await announcePolicyChange(ports, { ...stored.value, startedMs }),
      };
    }
    case "guardrail_moved":
    case "guardrail_crowded":
      return refuseGuardrail(stored.value);
    case "archived":
      return refuseArchived(latest.id);
    case "not_found":
      return refuseUnknownPolicy(latest.id);
    case "version_moved":
      return refuseMoved(latest.id, stored.value.latest);
    case "not_bound":
      return refuseOtherAgent({ policyId: latest.id, agentId: boundAgent ?? "" }, stored.value.existing);
  }
}

export function refuseMoved(id: string, latest: number): Refusal {
  return refuse(
    "version_moved",
    `The latest version of policy ${id} is ${String(latest)}. Read it, then decide.`,
  );
}

/** Refuses a change of an archived policy. */
export function refuseArchived(id: string): Refusal {
  return refuse(
    "conflict",
    `Policy ${id} is archived. Bring it back first: POST policies/${encodeURIComponent(id)}/enable.`,
  );
}

/** A version as the latest of its policy. */
export function withState({ id, version, ...rest }: PolicyVersionRecord, state: PolicyState): PolicyRecord {
  return { id, version, ...state, ...rest };
}
