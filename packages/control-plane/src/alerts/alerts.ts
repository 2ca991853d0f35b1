import type { AlertAcknowledgement, AlertRecord, AlertStatus } from "@svc/contract/alert";
import type { Principal } from "@svc/contract/principal";
import { maskSecretsInText } from "@svc/engine/mask-secrets";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { callStore, readPage, readRecord } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, refuse } from "../refusal.ts";
import { alertChange } from "./alert-row.ts";

type ReadPorts = Pick<ControlPlanePorts, "log" | "alerts">;

const NOT_CONFIRMED =
  "The store did not confirm it, so the alert may be acknowledged or not. Look before you try again.";

/** Newest first. @param status null: all */
export async function listAlerts(
  ports: ReadPorts,
  { org }: Principal,
  { status, page }: { readonly status: AlertStatus | null; readonly page: PageRequest },
): Promise<Outcome<Page<AlertRecord>>> {
  return readPage(ports, page, () => ports.alerts.list(org, status, page));
}

export async function getAlert(
  ports: ReadPorts,
  { org }: Principal,
  id: string,
): Promise<Outcome<AlertRecord>> {
  const unknown = `This organization has no alert ${id}. GET alerts lists them.`;
  return readRecord(
    ports,
    () => ports.alerts.find(org, id),
    () => refuse("not_found", unknown),
  );
}

/** Says that somebody looks at it. One that is acknowledged or resolved stays as it is. */
export async function acknowledgeAlert(
  ports: ReadPorts & Pick<ControlPlanePorts, "clock">,
  principal: Principal,
  { id, note }: AlertAcknowledgement & { readonly id: string },
): Promise<Outcome<AlertRecord>> {
  const found = await getAlert(ports, principal, id);
  if (found.kind === "problem" || found.value.status !== "open") return found;
  const { org, id: by } = principal;
  const time = ports.clock.now().toISOString();
  const record: AlertRecord = {
    ...found.value,
    status: "acknowledged",
    acknowledged_at: time,
    acknowledged_by: by,
    note: note === null ? null : maskSecretsInText(note),
  };
  const change = alertChange({ org, principal: by, action: "acknowledged", time }, record);
  const stored = await callStore(ports, NOT_CONFIRMED, () =>
    ports.alerts.change({ ...change, before: "open" }),
  );
  if (stored.kind === "problem") return stored;
  // It was acknowledged or resolved meanwhile.
  if (stored.value.kind === "moved") return getAlert(ports, principal, id);
  ports.log.info({ org, principal: by, alert_id: id, condition: record.condition }, "alert acknowledged");
  return { kind: "ok", value: record };
}
