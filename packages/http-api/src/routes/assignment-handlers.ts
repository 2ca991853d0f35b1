import type { assignmentRoutes } from "@svc/api/assignment-routes";
import { assignPolicy } from "@svc/control-plane/assign-policy";
import { getAssignment } from "@svc/control-plane/get-assignment";
import { listAssignments } from "@svc/control-plane/list-assignments";
import { unassignPolicy } from "@svc/control-plane/unassign-policy";
import type { Handlers } from "./handler.ts";
import { found, listed, pageOf } from "./reply-found.ts";

export const assignmentHandlers: Handlers<typeof assignmentRoutes> = {
  assignPolicy: async ({ body }, { ports, principal }) => {
    const outcome = await assignPolicy(ports, principal, body);
    switch (outcome.kind) {
      case "assigned":
        return { kind: "json", status: 201, body: { ...outcome.record, ...outcome.acknowledgements } };
      case "existing":
        return { kind: "json", status: 200, body: outcome.record };
      case "problem":
        return outcome;
    }
  },
  listAssignments: async ({ query }, { ports, principal }) =>
    listed(
      "policy_assignments",
      await listAssignments(ports, principal, {
        page: pageOf(query),
        policyId: query.policy_id ?? null,
        agentId: query.agent_id ?? null,
        namespaceId: query.namespace_id ?? null,
      }),
    ),
  getAssignment: async ({ params }, { ports, principal }) =>
    found(await getAssignment(ports, principal, params.assignment_id)),
  unassignPolicy: async ({ params }, { ports, principal }) => {
    const outcome = await unassignPolicy(ports, principal, params.assignment_id);
    if (outcome.kind === "problem") return outcome;
    return { kind: "json", status: 200, body: { ...outcome.record, ...outcome.acknowledgements } };
  },
};
