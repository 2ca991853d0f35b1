import type { HeldCallRecord } from "@svc/contract/held-call";
import type { Principal } from "@svc/contract/principal";
import { refuseBinding } from "@svc/contract/refuse-binding";
import type { StoredHeldCall } from "@svc/store/ports/held-call-store";
import { readRecord } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";
import { viewHeldCall } from "./held-call-view.ts";

type ReadPorts = Pick<ControlPlanePorts, "clock" | "log" | "heldCalls" | "publicUrl">;

/** A held call as it stands. A key without `approval:read` reads the calls that it asked about itself. */
export async function getHeldCall(
  ports: ReadPorts,
  principal: Principal,
  id: string,
): Promise<Outcome<HeldCallRecord>> {
  const found = await readRecord(
    ports,
    () => ports.heldCalls.heldCall(principal.org, id),
    () => refuseUnknown(id),
  );
  if (found.kind === "problem") return found;
  return refuseReader(principal, found.value) ?? { kind: "ok", value: viewHeldCall(ports, found.value) };
}

function refuseUnknown(id: string): Refusal {
  return refuse("not_found", `There is no held call ${id}. GET held-calls lists yours.`);
}

/** Why the key may not see the held call; null when it may. */
function refuseReader(principal: Principal, held: StoredHeldCall): Refusal | null {
  if (held.requestedBy === principal.id) return null;
  if (!principal.scopes.has("approval:read")) return refuseUnknown(held.id);
  const bound = refuseBinding(principal, { agent_id: held.agentId, namespace: held.namespace });
  return bound === null ? null : { kind: "problem", problem: bound };
}
