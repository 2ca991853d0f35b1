import { ANONYMOUS, type Principal, rolesOf } from "@svc/contract/principal";
import { refuseBinding } from "@svc/contract/refuse-binding";
import type { StoredApproval } from "@svc/store/ports/approval-store";
import { type Refusal, refuse } from "../refusal.ts";
import { approvalItem } from "./approval-view.ts";
import { statusAt } from "./status-at.ts";
import { whySuspended } from "./why-suspended.ts";

/** The refusal of an id that names no approval, or none that this key may know of. */
export function refuseUnknownApproval(id: string): Refusal {
  return refuse("not_found", `There is no approval ${id}. GET approvals lists yours.`);
}

/** Why the key may not see the approval; null when it may. */
export function refuseReader(principal: Principal, approval: StoredApproval): Refusal | null {
  if (approval.org !== principal.org) return refuseUnknownApproval(approval.id);
  // Who asked may always see what became of it.
  if (approval.requestedBy === principal.id) return null;
  if (!principal.scopes.has("approval:read")) return refuseUnknownApproval(approval.id);
  return refuseOutside(principal, approval);
}

function refuseOutside(principal: Principal, { agentId, namespace }: StoredApproval): Refusal | null {
  const bound = refuseBinding(principal, { agent_id: agentId, namespace });
  return bound === null ? null : { kind: "problem", problem: bound };
}

/**
 * Why the key may not approve or deny; null when it may. Who asked cannot resolve, and a key that asks about
 * calls never can, whatever its scopes are. While authentication is off, everybody is one principal; the row
 * of the approval then says that who asked resolved it.
 */
export function refuseResolver(principal: Principal, approval: StoredApproval): Refusal | null {
  const { id, role, scopes } = principal;
  if (role === "agent" || role === "adapter" || !scopes.has("approval:resolve"))
    return refuse("forbidden", `Key ${id} of role ${role} asks about calls. It cannot resolve approvals.`);
  const outside = refuseOutside(principal, approval);
  if (outside !== null) return outside;
  if (id === approval.requestedBy && id !== ANONYMOUS)
    return refuse("forbidden", `Key ${id} asked for this call. Another key must resolve the approval.`);
  const { workflow } = approval.state;
  if (workflow === null) return null;
  return refuseAsked(principal, workflow);
}

type Workflow = NonNullable<StoredApproval["state"]["workflow"]>;

/** Why the workflow does not ask this principal; null when it does. */
function refuseAsked(principal: Principal, { id: workflow, approvers }: Workflow): Refusal | null {
  const { id, person } = principal;
  const { roles, keys, groups = null } = approvers;
  const own: readonly string[] = rolesOf(principal);
  if (roles !== null && !roles.some((role) => own.includes(role)))
    return refuse(
      "forbidden",
      `The workflow ${workflow} asks ${roles.join(" or ")}; ${id} has the role ${own.join(", ")}.`,
    );
  if (keys !== null && !keys.includes(id))
    return refuse("forbidden", `The workflow ${workflow} does not ask ${id}.`);
  if (groups !== null && !groups.some((group) => person?.groups.has(group) === true))
    return refuse(
      "forbidden",
      `The workflow ${workflow} asks people of the group ${groups.join(" or ")}; ${id} is in none of them.`,
    );
  return null;
}

type EndPorts = Parameters<typeof approvalItem>[0] & Parameters<typeof whySuspended>[0];

/** Why an approval cannot be resolved any more, or not now; null when it is pending. */
export function refuseNotPending(
  ports: EndPorts,
  principal: Pick<Principal, "scopes">,
  approval: StoredApproval,
): Refusal | null {
  const { id } = approval;
  const status = statusAt(approval, ports.clock.now().getTime());
  switch (status) {
    case "pending":
      return null;
    case "suspended": {
      const why = whySuspended(ports, approval, principal);
      const fix = "The approval can be denied or cancelled.";
      return refuse("conflict", `Approval ${id} is suspended: ${why} ${fix}`);
    }
    case "approved":
    case "denied":
    case "expired":
    case "cancelled": {
      const { resolved_at: at, resolved_by: by, resolution } = approvalItem(ports, approval);
      const end = `${status} at ${String(at)} by ${String(by)} with the reason ${JSON.stringify(resolution)}`;
      const fix = "An approval ends once. For another decision the agent must ask again.";
      return refuse("conflict", `Approval ${id} was ${end}. ${fix}`);
    }
  }
}

/** As `refuseNotPending`, for an end that a suspended approval can have, too. */
export function refuseEnded(
  ports: EndPorts,
  principal: Pick<Principal, "scopes">,
  approval: StoredApproval,
): Refusal | null {
  const status = statusAt(approval, ports.clock.now().getTime());
  return status === "suspended" ? null : refuseNotPending(ports, principal, approval);
}
