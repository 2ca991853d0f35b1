import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ROLES, type Role, scopesOf } from "./role.ts";
import { SCOPES, type Scope, UNBOUND_ONLY_SCOPES } from "./scope.ts";

const PAGE = readFileSync(new URL("../../../../docs/SECURITY-MODEL.md", import.meta.url), "utf8");

const holders: readonly (readonly [name: string, role: Role, isBootstrap: boolean])[] = [
  ...ROLES.map((role) => [role, role, false] as const),
  ["bootstrap key", "admin", true],
];

function row(scope: Scope): string {
  const cells = holders.map(([, role, isBootstrap]) =>
    scopesOf({ role, isBootstrap, isBound: false }).has(scope) ? "yes" : "",
  );
  return `| \`${scope}\` | ${cells.join(" | ")} |`;
}

// proves AUTH-07
it("docs/SECURITY-MODEL.md says which role has which scope", () => {
  const head = `| Scope | ${holders.map(([name]) => name).join(" | ")} |`;
  const table = [head, `|${"---|".repeat(holders.length + 1)}`, ...SCOPES.map(row)].join("\n");
  const found = /\| Scope \|.*\n(?:\|.*\n)+/.exec(PAGE)?.[0].trimEnd();
  expect(found).toBe(table);
});

it("docs/SECURITY-MODEL.md names the scopes that a bound key never has", () => {
  const sentence = /A bound key never has ([^.]*), because/s.exec(PAGE)?.[1] ?? "";
  expect([...sentence.matchAll(/`([^`]+)`/g)].map(([, scope]) => scope)).toEqual([...UNBOUND_ONLY_SCOPES]);
});
