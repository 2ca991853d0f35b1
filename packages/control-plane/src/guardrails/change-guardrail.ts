import type { GuardrailRecord, GuardrailUpdate } from "@svc/contract/guardrail";
import type { PolicyVersionRecord } from "@svc/contract/policy";
import type { Principal } from "@svc/contract/principal";
import type { Diagnostic } from "@svc/engine/diagnostic";
import type { Guardrail } from "@svc/engine/guardrail";
import type { GuardedVersion } from "@svc/store/ports/guardrail-store";
import type { StoredPolicy } from "@svc/store/ports/policy-store";
import { announcePolicyChange, type MeasuredAcknowledgements } from "../await-acknowledgements.ts";
import { callStore, NOT_READ } from "../call-store.ts";
import { decidingRecord, knownGuardrails } from "../policies/known-guardrails.ts";
import { versionRow } from "../policies/policy-row.ts";
import { checkText, judged, ORDINARY_LOAD } from "../policies/read-document.ts";
import { namedGuardrails, storedVersion } from "../policies/stored-version.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";
import {
  type NamedGuardrail,
  refuseMovedGuardrail,
  refuseUnknownGuardrail,
  seenGuardrail,
} from "./get-guardrail.ts";
import { guardrailRow } from "./guardrail-row.ts";
import { examineDefinition } from "./read-definition.ts";

export type GuardrailChangePorts = Pick<
  ControlPlanePorts,
  "clock" | "timers" | "log" | "guardrails" | "guardrailChecks" | "documents" | "propagation"
>;

export interface ChangedGuardrail {
  readonly record: GuardrailRecord;
  readonly dryRun: boolean;
  /** What its author should know of the definition. */
  readonly warnings: readonly Diagnostic[];
  /** The versions of policies that the change made. */
  readonly policies: readonly { readonly id: string; readonly version: number }[];
  /** Null: no gateway had to be told. */
  readonly acknowledgements: MeasuredAcknowledgements | null;
}

export const NOT_CONFIRMED =
  "The store did not confirm the change, so the guardrail may be unchanged. Read it before you try again.";

export interface GuardrailChange extends NamedGuardrail {
  readonly update: GuardrailUpdate;
  readonly dryRun: boolean;
}

/**
 * Replaces the definition. Every policy that uses the guardrail and is not archived gets a version with the
 * new definition in it, in the same transaction, and gateways acknowledge those as they do any version. All
 * of them must compile, else nothing changes.
 */
export async function changeGuardrail(
  ports: GuardrailChangePorts,
  principal: Principal,
  { update, dryRun, ...named }: GuardrailChange,
): Promise<Outcome<ChangedGuardrail>> {
  const startedMs = ports.clock.nowMs();
  const found = await seenGuardrail(ports, principal, named);
  if (found.kind === "problem") return found;
  const examined = await examineDefinition(ports, update);
  if (examined.kind === "problem") return examined;
  const warnings = examined.value;
  const record = nextRecord(ports, principal, found.value, update);
  const guarded = await guardedVersions(ports, principal, { record, why: update.why });
  if (guarded.kind === "problem") return guarded;
  const policies = guarded.value.map(({ policy }) => ({
    id: policy.record.id,
    version: policy.record.version,
  }));
  if (dryRun) return { kind: "ok", value: { record, dryRun, warnings, policies, acknowledgements: null } };
  const { why } = update;
  const auditRow = guardrailRow(record, {
    action: "updated",
    principal,
    time: record.updated_at,
    why,
    policies,
  });
  const change = { org: principal.org, auditRow, guardrail: record, policies: guarded.value };
  const stored = await callStore(ports, NOT_CONFIRMED, () => ports.guardrails.updateGuardrail(change));
  if (stored.kind === "problem") return stored;
  switch (stored.value.kind) {
    case "updated": {
      const { revision } = stored.value;
      const facts = { org: principal.org, principal: principal.id, guardrail_id: record.id };
      ports.log.info({ ...facts, version: record.version, policies: policies.length }, "guardrail changed");
      const acknowledgements =
        policies.length === 0 ? null : await announcePolicyChange(ports, { revision, startedMs });
      return { kind: "ok", value: { record, dryRun, warnings, policies, acknowledgements } };
    }
    case "moved":
      return refuseMovedGuardrail(record.id);
    case "not_found":
      return refuseUnknownGuardrail(record.id);
    case "users_moved":
      return refuse(
        "version_moved",
        `A policy that uses guardrail ${record.id} has changed meanwhile, and nothing was stored. Try again.`,
      );
  }
}

function nextRecord(
  { clock }: Pick<GuardrailChangePorts, "clock">,
  { id: by }: Principal,
  { id, version, created_at, created_by }: GuardrailRecord,
  { description, detectors, patterns, allow }: GuardrailUpdate,
): GuardrailRecord {
  const changed = { updated_at: clock.now().toISOString(), updated_by: by };
  const definition = { description, detectors, patterns, allow };
  return { id, version: version + 1, ...definition, created_at, created_by, ...changed };
}

interface NewDefinition {
  readonly record: GuardrailRecord;
  readonly why: string | null;
}

/** The next version of each policy that uses the guardrail, or why one of them cannot have it. */
async function guardedVersions(
  ports: GuardrailChangePorts,
  principal: Principal,
  changed: NewDefinition,
): Promise<Outcome<readonly GuardedVersion[]>> {
  const { org } = principal;
  const known = await knownGuardrails(ports, org);
  if (known.kind === "problem") return known;
  const { id } = changed.record;
  const users = await callStore(ports, NOT_READ, () => ports.guardrails.guardedPolicies(org, id));
  if (users.kind === "problem") return users;
  const guardrails = known.value.map((one) => (one.id === id ? decidingRecord(changed.record) : one));
  const versions: GuardedVersion[] = [];
  for (const user of users.value) {
    const made = await guardedVersion(ports, principal, { user, guardrails, changed });
    if (made.kind === "problem") return made;
    versions.push(made.value);
  }
  return { kind: "ok", value: versions };
}

interface Guarding {
  readonly user: StoredPolicy;
  readonly guardrails: readonly Guardrail[];
  readonly changed: NewDefinition;
}

async function guardedVersion(
  ports: GuardrailChangePorts,
  principal: Principal,
  { user, guardrails, changed }: Guarding,
): Promise<Outcome<GuardedVersion>> {
  const text = { source: user.source, mediaType: user.mediaType, guardrails };
  const checked = await checkText(ports, text);
  if (checked.kind === "problem") return checked;
  const document = judged(text, checked.value, ORDINARY_LOAD);
  if (document.kind === "problem") return refusePolicy(user.record.id, document);
  const { id, version } = changed.record;
  const record: PolicyVersionRecord = {
    id: user.record.id,
    version: user.record.version + 1,
    name: document.policy.name,
    document: document.document,
    created_at: changed.record.updated_at,
    created_by: principal.id,
    rolled_back_to: null,
    why: changed.why ?? `guardrail ${id} is version ${String(version)} now`,
    ...namedGuardrails(document.policy),
  };
  const auditRow = versionRow({ action: "updated", principal, record, document });
  return { kind: "ok", value: { policy: storedVersion(record, document), auditRow } };
}

/** A change never leaves a policy behind that gateways cannot compile. */
function refusePolicy(policyId: string, { problem }: Refusal): Refusal {
  const entries = problem.errors ?? [];
  return refuse(
    "conflict",
    `Policy ${policyId} uses the guardrail and would be refused with this definition. Nothing was changed.`,
    entries,
  );
}
