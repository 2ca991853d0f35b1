import { expect, it } from "vitest";
import { createPolicy, execute, send } from "../../support/server/api.ts";
import { BOOTSTRAP_ENV, issueKey, operatorOf } from "../../support/server/api-keys.ts";
import { keyOf } from "../../support/server/role-keys.ts";
import { serverOfTest } from "../../support/server/server-process.ts";

const SINCE = "2020-01-01T00:00:00Z";

const propose = (url: string, body: object, headers = {}) =>
  send("POST", `${url}/api/v1/policies/propose`, { body, headers });

// proves LEAST-01, LEAST-02, LEAST-04
it("a proposal is loaded as it comes, and then governs", async () => {
  const { url } = await serverOfTest();
  await createPolicy(url, "id: refunds\nagent_id: agent-1\ntools: { allowed: ['payments.*', 'mail.*'] }\n");
  for (const amount of [5, 480]) await execute(url, { args: { amount } });
  // Values of arguments are for keys that may read the log.
  const reader = { authorization: `Bearer ${(await keyOf("admin", url)) ?? ""}` };
  const { status, body } = await propose(url, { agent_id: "agent-1", since: SINCE }, reader);
  expect([status, body["policy_id"], body["unused"]]).toEqual([
    200,
    "refunds",
    [{ kind: "tools.allowed", entry: "mail.*" }],
  ]);
  const document = String(body["document"]);
  expect(document).toContain("# seen: args.amount from 5 to 480");
  const headers = { "content-type": "application/yaml" };
  const stored = await send("PUT", `${url}/api/v1/policies/refunds`, { body: document, headers });
  expect(stored.status).toBe(200);
  expect((await execute(url)).body["decision"]).toBe("allow");
  expect((await execute(url, { tool: "payments.other" })).body["decision"]).toBe("deny");
  expect((await propose(url, { since: SINCE })).status).toBe(400);
});

// proves LEAST-05
it("a proposal for an agent goes by the policy of its namespace, unless it has one of its own", async () => {
  const { url } = await serverOfTest();
  const assigned = { policy_id: "shared", namespace_id: "billing" };
  await createPolicy(url, "id: shared\ntools: { allowed: ['payments.*', 'mail.*'] }\n");
  await createPolicy(url, "id: own\ntools: { allowed: ['*', 'never.*'] }\n");
  expect((await send("POST", `${url}/api/v1/namespaces`, { body: { id: "billing" } })).status).toBe(201);
  expect((await send("POST", `${url}/api/v1/policy-assignments`, { body: assigned })).status).toBe(201);
  expect((await execute(url, { namespace: "billing" })).body["decision"]).toBe("allow");
  const proposed = async (body: object) => (await propose(url, { since: SINCE, ...body })).body;
  const expected = {
    policy_id: "shared",
    grants: [{ tool: "payments.refund", calls: 1 }],
    unused: [{ kind: "tools.allowed", entry: "mail.*" }],
  };
  expect(await proposed({ agent_id: "agent-1" })).toMatchObject(expected);
  expect(await proposed({ namespace: "billing" })).toMatchObject(expected);
  const misspelt = await proposed({ agent_id: "agent-2" });
  expect(misspelt).toMatchObject({ policy_id: null, grants: [] });
  expect(misspelt["warnings"]).toEqual([
    expect.stringMatching(/^No call of agent agent-2 was decided from 2020-01-01T.*Did you mean agent-1\?$/),
  ]);
  const own = { policy_id: "own", agent_id: "agent-1" };
  await send("POST", `${url}/api/v1/policy-assignments`, { body: own });
  expect(await proposed({ agent_id: "agent-1" })).toMatchObject({ policy_id: "own" });
});

// proves LEAST-03
it("a proposal shows values of arguments to keys that may read the log, and to no other", async () => {
  const server = await serverOfTest({ env: BOOTSTRAP_ENV });
  const operator = operatorOf(server);
  await operator("POST", "policies", { yaml: "id: p\nagent_id: agent-1\ntools: { allowed: ['*'] }\n" });
  await operator("POST", "gateway/execute", {
    json: { agent_id: "agent-1", tool: "t", args: { amount: 7_741_577 } },
  });
  const { key } = await issueKey(operator, { role: "policy_author" });
  const body = { agent_id: "agent-1", since: SINCE };
  const shown = await propose(server.url, body, { authorization: `Bearer ${key}` });
  expect(shown.status).toBe(200);
  expect(String(shown.body["document"])).not.toContain("7741577");
});
