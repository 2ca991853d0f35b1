import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { RouteDefinition } from "./route.ts";
import { ROUTES } from "./route-table.ts";

const PAGE = readFileSync(new URL("../../../docs/SECURITY-MODEL.md", import.meta.url), "utf8");

function rowOf([id, { method, path, access }]: readonly [string, RouteDefinition]): readonly string[] {
  switch (access.kind) {
    case "anybody":
      return [];
    case "any_key":
      return [`| \`${id}\` | ${method} \`${path}\` | any key |`];
    case "scope":
      return [`| \`${id}\` | ${method} \`${path}\` | \`${access.scope}\` |`];
  }
}

// proves KEY-14
it("docs/SECURITY-MODEL.md says which scope every route needs", () => {
  const table = ["| Operation | Method and path | Scope |", "|---|---|---|"];
  table.push(...Object.entries<RouteDefinition>(ROUTES).flatMap(rowOf));
  const found = /\| Operation \|.*\n(?:\|.*\n)+/.exec(PAGE)?.[0].trimEnd();
  expect(found).toBe(table.join("\n"));
});
