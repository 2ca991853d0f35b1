import { fullPaths } from "@svc/api/match-path";
import type { RouteDefinition } from "@svc/api/route";
import { ROUTES } from "@svc/api/route-table";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetchWithKey } from "../support/server/role-keys.ts";
import { type ServerProcess, startServer } from "../support/server/server-process.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

const templates = Object.values<RouteDefinition>(ROUTES).flatMap((route) =>
  fullPaths(route).map((path) => ({
    method: route.method,
    example: path.replace("{file}", "start.js").replaceAll(/\{[a-z_]+\}/g, "1"),
    pattern: new RegExp(`^${path.replaceAll(/\{[a-z_]+\}/g, "[^/]+")}$`),
  })),
);

/** An example of every path, its methods, and those of all templates that it fits: a name is any word. */
const served = [...new Set(templates.map(({ example }) => example))].map((path) => ({
  path,
  methods: templates.filter(({ example }) => example === path).map(({ method }) => method),
  others: templates.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method),
}));

let server: ServerProcess;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

async function ask(method: string, path: string) {
  const answer = await fetchWithKey(`${server.url}${path}`, { method });
  const isProblem = answer.headers.get("content-type") === "application/problem+json";
  const { code, detail } = (isProblem ? await answer.json() : {}) as { code?: string; detail?: string };
  // A stream of events has no end.
  if (!isProblem) await answer.body?.cancel();
  return { status: answer.status, code, detail, allow: answer.headers.get("allow") };
}

// proves API-01
describe.each(served)("$path", ({ path, methods, others }) => {
  it(`is served for ${methods.join(" and ")}`, async () => {
    for (const method of methods) {
      const { code, detail } = await ask(method, path);
      expect([method, code, detail ?? ""]).not.toEqual([
        method,
        "not_found",
        expect.stringMatching(/no route/),
      ]);
      expect(code).not.toBe("method_not_allowed");
    }
  });

  it("refuses every other method, and names those that it takes", async () => {
    for (const method of METHODS.filter((each) => !others.includes(each as never))) {
      const { status, code, allow } = await ask(method, path);
      expect([method, status, code]).toEqual([method, 405, "method_not_allowed"]);
      expect(
        (allow ?? "")
          .split(", ")
          .filter((each) => each !== "HEAD")
          .toSorted(),
      ).toEqual(methods.toSorted());
    }
  });
});
