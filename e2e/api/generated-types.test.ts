import { join } from "node:path";
import { pathToFileURL } from "node:url";
import createClient from "openapi-fetch";
import openapiTS, { astToString } from "openapi-typescript";
import { describe, expect, it } from "vitest";
import { authorizationFor } from "../support/server/role-keys.ts";
import { serverOfTest } from "../support/server/server-process.ts";
import type { components, paths } from "./generated/openapi-types.ts";

const DOCUMENT = join(import.meta.dirname, "..", "..", "packages", "api", "openapi", "openapi.yaml");

const HEADER = "// Generated from packages/api/openapi/openapi.yaml by openapi-typescript.\n\n";

/** A member of a request that has a default may be left out, so that is not what makes it required. */
const OPTIONS = { immutable: true, defaultNonNullable: false };

// proves OAS-09
describe("the types that openapi-typescript generates", () => {
  // `npm test -- e2e/api/generated-types -u` writes the file after the document has changed.
  it("are those that the tests compile", async () => {
    const types = await openapiTS(pathToFileURL(DOCUMENT), OPTIONS);
    await expect(HEADER + astToString(types)).toMatchFileSnapshot("./generated/openapi-types.ts");
  });

  it("serve a client that decides a call, stops it and reads why", async () => {
    const { url } = await serverOfTest();
    const client = createClient<paths>({ baseUrl: `${url}/api/v1` });
    client.use({
      onRequest: async ({ request }) => {
        const { authorization = "" } = await authorizationFor(request.method, request.url);
        request.headers.set("authorization", authorization);
      },
    });
    const switched = await client.POST("/kill-switch", {
      body: { scope: "agent", target_id: "agent-1", reason: "a test", activated_by: "test" },
    });
    expect(switched.data).toMatchObject({ status: "active" });
    const { data } = await client.POST("/gateway/execute", {
      body: { agent_id: "agent-1", tool: "payments.refund", args: { amount: 1 } },
    });
    const verdict: components["schemas"]["Verdict"] | undefined = data;
    // The decision tells the variants apart: an allow has no reason.
    if (verdict === undefined || verdict.decision === "allow") return expect.unreachable("it must be denied");
    expect([verdict.decision, verdict.reason_code]).toEqual(["deny", "kill_switch"]);
    const { error } = await client.GET("/kill-switch/{kill_switch_id}", {
      params: { path: { kill_switch_id: "none" } },
    });
    expect(error?.code).toBe("not_found");
  });
});
