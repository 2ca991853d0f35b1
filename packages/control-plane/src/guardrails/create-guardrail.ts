import type { GuardrailCreation, GuardrailRecord } from "@svc/contract/guardrail";
import { MAX_GUARDRAILS_PER_ORG } from "@svc/contract/guardrail-limits";
import type { Principal } from "@svc/contract/principal";
import type { Diagnostic } from "@svc/engine/diagnostic";
import { callStore } from "../call-store.ts";
import { type Outcome, refuse } from "../refusal.ts";
import type { ChangedGuardrail, GuardrailChangePorts } from "./change-guardrail.ts";
import { NOT_CONFIRMED } from "./change-guardrail.ts";
import { guardrailRow } from "./guardrail-row.ts";
import { examineDefinition } from "./read-definition.ts";

/** Stores a new guardrail. No policy uses it yet, so no gateway is told. */
export async function createGuardrail(
  ports: GuardrailChangePorts,
  principal: Principal,
  { creation, dryRun }: { readonly creation: GuardrailCreation; readonly dryRun: boolean },
): Promise<Outcome<ChangedGuardrail>> {
  const examined = await examineDefinition(ports, creation);
  if (examined.kind === "problem") return examined;
  const warnings = examined.value;
  if (dryRun) return dryCreation(ports, principal, { creation, warnings });
  const first = await createVersion(ports, principal, { creation, warnings, version: 1 });
  if (first.kind !== "version_taken") return first;
  // An id that was removed counts on, so that no row names two guardrails alike.
  const second = await createVersion(ports, principal, { creation, warnings, version: first.next });
  return second.kind === "version_taken" ? refuseExisting(creation.id) : second;
}

async function dryCreation(
  ports: GuardrailChangePorts,
  principal: Principal,
  { creation, warnings }: Examined,
): Promise<Outcome<ChangedGuardrail>> {
  const { id } = creation;
  const found = await callStore(ports, NOT_CONFIRMED, () => ports.guardrails.guardrail(principal.org, id));
  if (found.kind === "problem") return found;
  if (found.value !== null) return refuseExisting(id);
  const record = recordOf(ports, principal, { creation, version: 1 });
  return { kind: "ok", value: { record, dryRun: true, warnings, policies: [], acknowledgements: null } };
}

interface Examined {
  readonly creation: GuardrailCreation;
  readonly warnings: readonly Diagnostic[];
}

interface Numbered extends Examined {
  readonly version: number;
}

function recordOf(
  { clock }: Pick<GuardrailChangePorts, "clock">,
  { id: by }: Principal,
  { creation, version }: Omit<Numbered, "warnings">,
): GuardrailRecord {
  const { id, description, detectors, patterns, allow } = creation;
  const at = clock.now().toISOString();
  const made = { created_at: at, created_by: by, updated_at: at, updated_by: by };
  return { id, version, description, detectors, patterns, allow, ...made };
}

async function createVersion(
  ports: GuardrailChangePorts,
  principal: Principal,
  numbered: Numbered,
): Promise<Outcome<ChangedGuardrail> | { readonly kind: "version_taken"; readonly next: number }> {
  const record = recordOf(ports, principal, numbered);
  const { creation, warnings } = numbered;
  const { why } = creation;
  const auditRow = guardrailRow(record, { action: "created", principal, time: record.created_at, why });
  const change = { org: principal.org, auditRow, guardrail: record };
  const stored = await callStore(ports, NOT_CONFIRMED, () => ports.guardrails.createGuardrail(change));
  if (stored.kind === "problem") return stored;
  switch (stored.value.kind) {
    case "created":
      return { kind: "ok", value: { record, dryRun: false, warnings, policies: [], acknowledgements: null } };
    case "version_taken":
      return stored.value;
    case "existing":
      return refuseExisting(record.id);
    case "too_many":
      return refuse(
        "limit_reached",
        `An organization has at most ${String(MAX_GUARDRAILS_PER_ORG)} guardrails.`,
      );
  }
}

function refuseExisting(id: string) {
  return refuse("conflict", `There is a guardrail ${id} already. PUT guardrails/${id} changes it.`);
}
