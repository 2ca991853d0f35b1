import type { LegalHoldRecord } from "@svc/contract/legal-hold";
import type { Principal } from "@svc/contract/principal";
import { callStore, readRecord } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Outcome } from "../refusal.ts";
import { refuseUnknownLegalHold } from "./get-legal-hold.ts";
import { legalHoldRow } from "./legal-hold-row.ts";
import { logLegalHold } from "./log-legal-hold.ts";

const STILL_IN_FORCE =
  "The store did not confirm it, so the legal hold may still be in force. Look before you try again.";

/** Ends a hold. Rows past their time may be removed from then on. Lifting it again changes nothing. */
export async function liftLegalHold(
  ports: Pick<ControlPlanePorts, "clock" | "log" | "legalHolds">,
  principal: Principal,
  id: string,
): Promise<Outcome<LegalHoldRecord>> {
  const { org } = principal;
  const found = await readRecord(
    ports,
    () => ports.legalHolds.legalHold(org, id),
    () => refuseUnknownLegalHold(id),
  );
  if (found.kind === "problem") return found;
  const time = ports.clock.now().toISOString();
  const auditRow = legalHoldRow({ action: "lifted", principal, time, record: found.value });
  const change = { org, auditRow, id, liftedAt: time, liftedBy: principal.id };
  const stored = await callStore(ports, STILL_IN_FORCE, () => ports.legalHolds.liftHold(change));
  if (stored.kind === "problem") return stored;
  switch (stored.value.kind) {
    case "lifted":
      logLegalHold(ports.log, "legal hold lifted", { principal, id });
      return { kind: "ok", value: stored.value.record };
    case "lifted_before":
      return { kind: "ok", value: stored.value.record };
    case "not_found":
      return refuseUnknownLegalHold(id);
  }
}
