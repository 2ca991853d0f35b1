import { rowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION, type LegalHoldRow } from "@svc/contract/audit-row";
import type { LegalHoldRecord, LegalHoldRequest } from "@svc/contract/legal-hold";
import type { Principal } from "@svc/contract/principal";
import { maskSecretsInIdentifier, maskSecretsInText } from "@svc/engine/mask-secrets";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { callStore, readPage, readRecord } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, refuse } from "../refusal.ts";

type Ports = Pick<ControlPlanePorts, "clock" | "log" | "legalHolds">;

const NOT_PLACED =
  "The store did not confirm the legal hold, so rows may still be removed. Look before you try again.";

const STILL_IN_FORCE =
  "The store did not confirm it, so the legal hold may still be in force. Look before you try again.";

/** Keeps rows from retention. A hold that is answered covers every row that is still there. */
export async function placeLegalHold(
  ports: Ports & Pick<ControlPlanePorts, "newId">,
  principal: Principal,
  request: LegalHoldRequest,
): Promise<Outcome<LegalHoldRecord>> {
  const { reason, agent_id = null, session_id = null, namespace = null } = request;
  const time = ports.clock.now().toISOString();
  const scope = { agent_id, session_id, namespace };
  const made = { created_at: time, created_by: principal.id, lifted_at: null, lifted_by: null };
  const record = { id: ports.newId("hold"), reason, ...scope, ...made };
  const change = changeOf(principal, { action: "placed", time, record });
  const stored = await callStore(ports, NOT_PLACED, () => ports.legalHolds.create(change));
  if (stored.kind === "problem") return stored;
  switch (stored.value.kind) {
    case "created":
      return noted(ports, principal, { message: "legal hold placed", record });
    case "too_many":
      return refuse(
        "limit_reached",
        "This organization has placed as many legal holds as it can. Place one that covers several cases.",
      );
  }
}

/** Newest first, lifted ones included. */
export async function listLegalHolds(
  ports: Pick<Ports, "log" | "legalHolds">,
  { org }: Principal,
  page: PageRequest,
): Promise<Outcome<Page<LegalHoldRecord>>> {
  return readPage(ports, page, () => ports.legalHolds.list(org, page));
}

export async function getLegalHold(
  ports: Pick<Ports, "log" | "legalHolds">,
  { org }: Principal,
  id: string,
): Promise<Outcome<LegalHoldRecord>> {
  const unknown = `This organization has no legal hold ${id}. GET legal-holds lists them.`;
  const read = () => ports.legalHolds.find(org, id);
  return readRecord(ports, read, () => refuse("not_found", unknown));
}

/** Ends a hold. Rows past their time may be removed from then on. Lifting it again changes nothing. */
export async function liftLegalHold(
  ports: Ports,
  principal: Principal,
  id: string,
): Promise<Outcome<LegalHoldRecord>> {
  const found = await getLegalHold(ports, principal, id);
  if (found.kind === "problem" || found.value.lifted_at !== null) return found;
  const before = found.value;
  const time = ports.clock.now().toISOString();
  const record = { ...before, lifted_at: time, lifted_by: principal.id };
  const change = { ...changeOf(principal, { action: "lifted", time, record }), before };
  const stored = await callStore(ports, STILL_IN_FORCE, () => ports.legalHolds.replace(change));
  if (stored.kind === "problem") return stored;
  // Only a lift changes a hold, so another one came first.
  if (stored.value.kind !== "replaced") return getLegalHold(ports, principal, id);
  return noted(ports, principal, { message: "legal hold lifted", record });
}

/** With the audit row as text to store. */
function changeOf(
  { org, id: principal }: Principal,
  { action, time, record }: Pick<LegalHoldRow, "action" | "time"> & { readonly record: LegalHoldRecord },
) {
  const auditRow = rowText({
    v: AUDIT_ROW_VERSION,
    kind: "legal_hold",
    time,
    org,
    principal,
    action,
    legal_hold_id: record.id,
    reason: maskSecretsInText(record.reason),
    agent_id: masked(record.agent_id),
    session_id: masked(record.session_id),
    namespace: masked(record.namespace),
  });
  return { org, auditRow, record };
}

function masked(identifier: string | null): string | null {
  return identifier === null ? null : maskSecretsInIdentifier(identifier);
}

function noted(
  { log }: Pick<Ports, "log">,
  { org, id: principal }: Principal,
  { message, record }: { readonly message: string; readonly record: LegalHoldRecord },
): Outcome<LegalHoldRecord> {
  log.info({ org, principal, legal_hold_id: record.id }, message);
  return { kind: "ok", value: record };
}
