import { policyRoutes } from "@svc/api/policy-routes";
import { problem } from "@svc/contract/problem";
import { expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";
import { scriptedServer } from "../testing/scripted-server.suite.ts";

const { policies } = policyRoutes.listPolicies.answers[200].example;
const MISSING = problem("not_found", "This organization has no policy. GET policies lists them.");

// proves CLI-49
it.each([
  ["demp", "did you mean demo?"],
  ["something-else", "svc-cli policies list shows them"],
])("leads from the unknown policy %s on", async (id, hint) => {
  const url = await scriptedServer((request, response) => {
    const isList = new URL(request.url ?? "", "http://any").pathname.endsWith("/policies");
    const type = isList ? "application/json" : "application/problem+json";
    response
      .writeHead(isList ? 200 : MISSING.status, { "content-type": type })
      .end(JSON.stringify(isList ? { policies, next_cursor: null } : MISSING));
  });
  const { exitCode, out, error } = await runCaptured(["policies", "show", id, "--url", url]);
  expect([exitCode, out]).toEqual([1, ""]);
  expect(error).toBe(`error: the server has no policy ${id}: ${hint}\n`);
});
