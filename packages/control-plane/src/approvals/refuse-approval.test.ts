import type { ApprovalWorkflow } from "@svc/contract/approval-workflow";
import type { Principal } from "@svc/contract/principal";
import { scopesOfRoles } from "@svc/contract/role";
import type { StoredApproval } from "@svc/store/ports/approval-store";
import { expect, it } from "vitest";
import { refuseResolver } from "./refuse-approval.ts";

const person = (id: string, groups: readonly string[], roles: readonly Principal["role"][]): Principal => ({
  id,
  org: "acme",
  role: roles[0] ?? "auditor",
  scopes: scopesOfRoles(roles, { isBootstrap: false, isBound: false }),
  agents: null,
  namespaces: null,
  expires_at: null,
  person: { key_id: `${id}-login`, name: null, roles, groups: new Set(groups) },
});

function asked(principal: Principal, approvers: ApprovalWorkflow["approvers"], requestedBy = "agent") {
  const workflow = { id: "w", approvers };
  const approval = { org: "acme", agentId: "a", namespace: "n", requestedBy, state: { workflow } };
  return refuseResolver(principal, approval as unknown as StoredApproval)?.problem.detail ?? null;
}

// proves PEO-08
it("a workflow asks people of its groups, by any of their roles or by their ids", () => {
  const ada = person("ada@idp", ["finance"], ["auditor", "approver"]);
  const everybody = { roles: null, keys: null };
  expect(asked(ada, { ...everybody, groups: ["finance", "board"] })).toBeNull();
  expect(asked(ada, { ...everybody, groups: ["board"] })).toContain("asks people of the group board");
  expect(asked(ada, { ...everybody, roles: ["approver"], groups: ["finance"] })).toBeNull();
  expect(asked(ada, { ...everybody, roles: ["admin"], groups: ["finance"] })).toContain("asks admin");
  expect(asked(ada, { ...everybody, keys: ["ada@idp"] })).toBeNull();
  expect(asked(ada, { ...everybody, keys: ["ada@idp-login"] })).toContain("does not ask ada@idp");
  const { person: _person, ...key } = ada;
  expect(asked(key, { ...everybody, groups: ["finance"] })).toContain("is in none of them");
});

it("a person whose roles resolve no approvals is refused, as is who asked for the call", () => {
  const everybody = { roles: null, keys: null };
  expect(asked(person("alan@idp", [], ["policy_author"]), everybody)).toContain("cannot resolve approvals");
  expect(asked(person("ada@idp", [], ["approver"]), everybody, "ada@idp")).toContain("asked for this call");
});
