import { expect, it } from "vitest";
import { adminPrincipal } from "../testing/principals.ts";
import { refuseScope } from "./refuse-scope.ts";

it("lets pass what the role has, and names the scope that it lacks", () => {
  const principal = adminPrincipal({ role: "agent" });
  expect(refuseScope(principal, "call:execute")).toBeNull();
  expect(refuseScope(principal, "policy:read")).toMatchObject({
    code: "forbidden",
    detail: expect.stringContaining("policy:read") as unknown,
  });
});

it.each([
  ["policy:read", "a key of role operator, policy_author, auditor, ci or admin"],
  ["admin_key:write", "the bootstrap key"],
] as const)("names what has %s: %s", (scope, holders) => {
  const detail = refuseScope(adminPrincipal({ role: "agent" }), scope)?.detail;
  expect(detail).toContain(`Use ${holders}.`);
});

it("says that a key lacks a scope of its role because it is bound", () => {
  const bound = adminPrincipal({ role: "operator", agents: new Set(["a"]) });
  expect(refuseScope(bound, "namespace:write")?.detail).toContain("because it is bound");
});
