import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ROUTES_HEADING, renderRoutes } from "./render-routes.ts";

const PAGE = new URL("../../../../docs/API.md", import.meta.url);

// proves API-14
it("every field has a meaning", () => {
  expect(
    renderRoutes()
      .split("\n")
      .filter((line) => line.endsWith("|  |")),
  ).toEqual([]);
});

// proves API-14
// `npm test -- packages/api -u` writes the part after the route table has changed.
it("docs/API.md lists every route as the table has it", async () => {
  const [tour = "", ...others] = readFileSync(PAGE, "utf8").split(`\n${ROUTES_HEADING}\n`);
  expect(others.length).toBeLessThan(2);
  await expect(`${tour}\n${renderRoutes()}`).toMatchFileSnapshot(PAGE.pathname);
});

// proves API-14
it("a body of several kinds has the fields of all, and which kinds have each", () => {
  const shown = renderRoutes().split("#### POST integrations\n")[1]?.split("\n#### ")[0];
  expect(shown).toMatch(/\| `kind` \| body \| `siem_http`, .*, required \|/);
  expect(shown).toMatch(/\| `bucket` \| body \| string, required \| .* Only of `object_store`\. \|/);
});
