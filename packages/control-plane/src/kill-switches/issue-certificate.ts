import { parseRowText } from "@svc/audit-log/parse-row-text";
import { CERTIFICATE_VERSION, type ContainmentCertificate } from "@svc/contract/containment-certificate";
import { formatDecisionId } from "@svc/contract/decision-id";
import { CONTROL_LEASE_MS, MAX_CERTIFIED_GATEWAYS } from "@svc/contract/limits";
import type { Principal } from "@svc/contract/principal";
import { maskSecretsInIdentifier, maskSecretsInText } from "@svc/engine/mask-secrets";
import { TooManyMembersError } from "@svc/store/ports/cluster";
import type { StoredActivation } from "@svc/store/ports/kill-switch-store";
import type { RowPosition } from "@svc/store/ports/row-position";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Refusal, refuse } from "../refusal.ts";
import { containmentOf, type Reach } from "./containment.ts";
import { refuseUnknownSwitch } from "./get-kill-switch.ts";

type CertificatePorts = Pick<ControlPlanePorts, "log" | "killSwitches" | "rows" | "acknowledgements">;

export type CertificateOutcome =
  | { readonly kind: "issued"; readonly certificate: ContainmentCertificate }
  | Refusal;

const TOO_MANY =
  `A certificate names at most ${String(MAX_CERTIFIED_GATEWAYS)} gateways, and more took part. ` +
  "GET gateways lists those that are there now.";

/** States which gateways enforce a switch now. Changes nothing. */
export async function issueCertificate(
  ports: CertificatePorts,
  { org }: Principal,
  id: string,
): Promise<CertificateOutcome> {
  const read = await callStore(ports, NOT_READ, async () => readFacts(ports, org, id));
  if (read.kind === "problem") return read;
  if (read.value === null) return refuseUnknownSwitch(id);
  if (read.value === "too many") return refuse("limit_reached", TOO_MANY);
  const { activation, reach, audit_row } = read.value;
  const { record, revision } = activation;
  const { scope, account_wide, trigger_source, activated_at, expires_at, status, ended_at } = record;
  const certificate: ContainmentCertificate = {
    v: CERTIFICATE_VERSION,
    kill_switch_id: id,
    org,
    scope,
    target_id: record.target_id === null ? null : maskSecretsInIdentifier(record.target_id),
    account_wide,
    reason: maskSecretsInText(record.reason),
    activated_by: maskSecretsInText(record.activated_by),
    trigger_source,
    activated_at,
    expires_at,
    status,
    ended_at,
    ended_by: masked(record.ended_by),
    end_reason: masked(record.end_reason),
    revision,
    audit_row,
    issued_at: new Date(reach.nowMs).toISOString(),
    issued_by: reach.issuer,
    clock: reach.clock,
    lease_ms: CONTROL_LEASE_MS,
    ...containmentOf(reach, activation),
  };
  if (certificate.gateways.length > MAX_CERTIFIED_GATEWAYS) return refuse("limit_reached", TOO_MANY);
  return { kind: "issued", certificate };
}

interface Facts {
  readonly activation: StoredActivation;
  readonly reach: Reach;
  readonly audit_row: ContainmentCertificate["audit_row"];
}

/**
 * Reads the record after the reach: a switch that is active then was active when the gateways were read,
 * because no switch is activated twice.
 */
async function readFacts(
  { killSwitches, rows, acknowledgements }: CertificatePorts,
  org: string,
  id: string,
): Promise<Facts | "too many" | null> {
  const before = await killSwitches.activation(org, id);
  if (before === null) return null;
  const reach = await acknowledgements.reach(org, before).catch(tooMany);
  if (reach === null) return "too many";
  const activation = await killSwitches.activation(org, id);
  if (activation === null) return null;
  const { auditRow } = activation;
  return { activation, reach, audit_row: auditRow === null ? null : await namedRow(rows, auditRow, id) };
}

function tooMany(error: unknown): null {
  if (error instanceof TooManyMembersError) return null;
  throw error;
}

/** A row that is not that of the switch is named without its hash. */
async function namedRow(rows: CertificatePorts["rows"], position: RowPosition, id: string) {
  const row = await rows.row(position);
  const [checkpoint] = await rows.checkpoints(position.logId, position.seq, 1);
  const isOwn = row !== null && (row.bytes.length === 0 || namesSwitch(row.bytes, id));
  return {
    id: formatDecisionId(position),
    hash: row !== null && isOwn ? Buffer.from(row.hash).toString("hex") : null,
    checkpoint_size: isOwn ? (checkpoint?.size ?? null) : null,
  };
}

function namesSwitch(bytes: Uint8Array, id: string): boolean {
  const reading = parseRowText(Buffer.from(bytes).toString());
  return (
    reading.kind === "row" && reading.row["kind"] === "kill_switch" && reading.row["kill_switch_id"] === id
  );
}

function masked(text: string | null): string | null {
  return text === null ? null : maskSecretsInText(text);
}
