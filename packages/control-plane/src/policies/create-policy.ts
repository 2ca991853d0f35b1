import { ADDRESSABLE_ID_EXPECTATION, isAddressableId } from "@svc/contract/addressable-id";
import { MAX_POLICIES_PER_ORG } from "@svc/contract/limits";
import type { PolicyAssignmentRecord, PolicyRecord, PolicyVersionRecord } from "@svc/contract/policy";
import type { Principal } from "@svc/contract/principal";
import type { Diagnostic } from "@svc/engine/diagnostic";
import { logAssignment } from "../assignments/log-assignment.ts";
import { refuseBound } from "../assignments/refuse-bound.ts";
import { announcePolicyChange, type MeasuredAcknowledgements } from "../await-acknowledgements.ts";
import { callStore } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Refusal, refuse } from "../refusal.ts";
import { withState } from "./append-version.ts";
import { documentBinding } from "./document-binding.ts";
import { logPolicyChange } from "./log-policy-change.ts";
import { versionRow } from "./policy-row.ts";
import {
  type DocumentText,
  type LoadMode,
  ORDINARY_LOAD,
  readDocument,
  type ValidatedDocument,
  validated,
} from "./read-document.ts";
import { namedGuardrails, refuseGuardrail, storedVersion } from "./stored-version.ts";

export type CreationOutcome =
  | {
      readonly kind: "created";
      readonly record: PolicyRecord;
      /** The binding that the document's own `agent_id` made; null when it names no agent. */
      readonly assignment: PolicyAssignmentRecord | null;
      readonly warnings: readonly Diagnostic[];
      readonly acknowledgements: MeasuredAcknowledgements;
    }
  | ValidatedDocument
  | Refusal;

type CreationPorts = Pick<
  ControlPlanePorts,
  "clock" | "timers" | "log" | "newId" | "documents" | "guardrails" | "policies" | "propagation"
>;

const NOT_CREATED =
  "The store did not confirm the policy, so it may not exist. " + "Look for it before you try again.";

/** No request could read, change or archive such a policy. */
function refuseId(id: string): Refusal {
  const entry = { pointer: "/id", expected: ADDRESSABLE_ID_EXPECTATION, found: JSON.stringify(id) };
  return refuse("invalid_policy", `The policy was refused: no path can name the id ${id}.`, [entry]);
}

/**
 * Writes version 1 of a new policy and binds it to the agent that its document names. A dry run judges only
 * the document. Only a real load checks whether its id and its agent are free.
 */
export async function createPolicy(
  ports: CreationPorts,
  principal: Principal,
  text: DocumentText,
  load: LoadMode = ORDINARY_LOAD,
): Promise<CreationOutcome> {
  const document = await readDocument(ports, { org: principal.org, text }, load);
  if (document.kind === "problem") return document;
  const { id } = document.policy;
  if (!isAddressableId(id)) return refuseId(id);
  if (load.dryRun) return validated(document);
  const { policy: compiled, warnings } = document;
  const startedMs = ports.clock.nowMs();
  const createdAt = ports.clock.now().toISOString();
  const version: PolicyVersionRecord = {
    id: compiled.id,
    version: 1,
    name: compiled.name,
    document: document.document,
    created_at: createdAt,
    created_by: principal.id,
    rolled_back_to: null,
    why: load.why ?? null,
    ...namedGuardrails(compiled),
  };
  const binding = documentBinding(compiled, {
    newId: ports.newId,
    time: createdAt,
    principal,
    why: version.why,
  });
  const auditRow = versionRow({ action: "created", principal, record: version, document });
  const policy = storedVersion(version, document);
  const stored = await callStore(ports, NOT_CREATED, () =>
    ports.policies.createPolicy({ org: principal.org, auditRow, policy, binding }),
  );
  if (stored.kind === "problem") return stored;
  switch (stored.value.kind) {
    case "created": {
      const acknowledgements = await announcePolicyChange(ports, { ...stored.value, startedMs });
      const assignment = binding?.record ?? null;
      const record = withState(version, stored.value.state);
      logPolicyChange(ports.log, "policy created", { principal, record, warnings });
      if (assignment !== null) logAssignment(ports.log, "policy assigned", { principal, record: assignment });
      return { kind: "created", record, assignment, warnings, acknowledgements };
    }
    case "id_taken":
      return refuse("conflict", takenId(version.id, stored.value.archived));
    case "already_bound":
      return refuseBound(stored.value.existing);
    case "guardrail_moved":
    case "guardrail_crowded":
      return refuseGuardrail(stored.value);
    case "too_many":
      return refuse("limit_reached", `An organization has at most ${String(MAX_POLICIES_PER_ORG)} policies.`);
  }
}

function takenId(id: string, archived: boolean): string {
  if (archived) return `Policy ${id} already exists and is archived. Its id stays taken: choose another one.`;
  return `Policy ${id} already exists. Update it with PUT policies/${id}, or choose another id.`;
}
