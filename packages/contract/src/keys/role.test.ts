import { describe, expect, it } from "vitest";
import { BINDABLE_ROLES, ROLE_SCOPES, ROLES, scopesOf } from "./role.ts";
import { SCOPES, UNBOUND_ONLY_SCOPES } from "./scope.ts";

describe("scopesOf", () => {
  it.each(ROLES)("never gives admin_key:write to role %s", (role) => {
    expect(scopesOf({ role, isBootstrap: false, isBound: false }).has("admin_key:write")).toBe(false);
  });

  it.each(ROLES)("gives a bound key of role %s nothing that a binding cannot narrow", (role) => {
    const bound = scopesOf({ role, isBootstrap: false, isBound: true });
    expect(UNBOUND_ONLY_SCOPES.filter((scope) => bound.has(scope))).toEqual([]);
  });

  it("gives the bootstrap key every scope", () => {
    const scopes = scopesOf({ role: "admin", isBootstrap: true, isBound: false });
    expect([...scopes].toSorted()).toEqual(SCOPES.toSorted());
  });

  it("gives role admin every scope but one", () => {
    expect(ROLE_SCOPES.admin).toHaveLength(SCOPES.length - 1);
  });
});

it.each(["agent", "adapter"] as const)("A3: no key of role %s resolves approvals, bound or not", (role) => {
  for (const isBound of [false, true])
    expect(scopesOf({ role, isBootstrap: false, isBound }).has("approval:resolve")).toBe(false);
});

it("only a bindable role can run calls, switches or approvals in part", () => {
  const narrow = ["call:execute", "kill_switch:write", "approval:resolve"] as const;
  const roles = ROLES.filter((role) => narrow.some((scope) => ROLE_SCOPES[role].includes(scope)));
  expect(roles.filter((role) => role !== "admin")).toEqual([...BINDABLE_ROLES]);
});
