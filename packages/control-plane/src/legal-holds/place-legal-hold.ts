import type { LegalHoldRecord, LegalHoldRequest } from "@svc/contract/legal-hold";
import type { Principal } from "@svc/contract/principal";
import { callStore } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, refuse } from "../refusal.ts";
import { legalHoldRow } from "./legal-hold-row.ts";
import { logLegalHold } from "./log-legal-hold.ts";

const NOT_PLACED =
  "The store did not confirm the legal hold, so rows may still be removed. Look before you try again.";

/** Keeps rows from retention. A hold that is answered covers every row that is still there. */
export async function placeLegalHold(
  ports: Pick<ControlPlanePorts, "clock" | "log" | "newId" | "legalHolds">,
  principal: Principal,
  request: LegalHoldRequest,
): Promise<Outcome<LegalHoldRecord>> {
  const time = ports.clock.now().toISOString();
  const { reason, agent_id = null, session_id = null, namespace = null } = request;
  const record: LegalHoldRecord = {
    id: ports.newId("hold"),
    reason,
    agent_id,
    session_id,
    namespace,
    created_at: time,
    created_by: principal.id,
    lifted_at: null,
    lifted_by: null,
  };
  const auditRow = legalHoldRow({ action: "placed", principal, time, record });
  const stored = await callStore(ports, NOT_PLACED, () =>
    ports.legalHolds.placeHold({ org: principal.org, auditRow, record }),
  );
  if (stored.kind === "problem") return stored;
  switch (stored.value.kind) {
    case "placed":
      logLegalHold(ports.log, "legal hold placed", { principal, id: record.id });
      return { kind: "ok", value: record };
    case "too_many":
      return refuse(
        "limit_reached",
        "This organization has placed as many legal holds as it can. Place one that covers several cases.",
      );
  }
}
