// peers: postgres
// long: it starts several servers for each case
import { describePostgres } from "@svc/store/testing/describe-postgres-suite";
import { expect, it } from "vitest";
import { callOf, createPolicy, send } from "../../support/server/api.ts";
import { BOOTSTRAP_ENV, clientOf, issueKey, operatorOf } from "../../support/server/api-keys.ts";
import { clusterOfTest } from "../../support/server/cluster.ts";
import { type ServerProcess } from "../../support/server/server-process.ts";

const ASKS = `id: refunds
agent_id: agent-1
tools: { allowed: ['payments.*'] }
rules:
  - id: big
    match: { tool: payments.*, condition: { field: args.amount, operator: ">", value: 100 } }
    action: require_approval
`;

/** Sessions in which two gateways compete for the last step. */
const RACES = 20;

describePostgres("what counts once, at whichever gateway", (postgres) => {
  // proves STATE-06, APR-02
  it("an approval that one gateway opened is given at another, and lets one call pass", async () => {
    const cluster = await clusterOfTest(postgres());
    const start = (name: string) => cluster.start(name, "all", { env: BOOTSTRAP_ENV });
    const [one, two] = await Promise.all([start("gw-1"), start("gw-2")]);
    const operator = operatorOf(one);
    expect((await operator("POST", "policies", { yaml: ASKS })).status).toBe(201);
    const { key } = await issueKey(operator);
    const { key: approver } = await issueKey(operator, { role: "approver" });
    const big = { json: callOf({ args: { amount: 900 } }) };
    const at = (server: typeof one) => clientOf(server, key)("POST", "gateway/execute", big);

    const paused = await at(one);
    expect(paused.body).toMatchObject({ decision: "pause" });
    expect((await at(two)).body["approval_url"]).toBe(paused.body["approval_url"]);
    const id = String(paused.body["approval_url"]).split("/").at(-1) ?? "";
    const json = { reason: "ok" };
    const votes = await Promise.all(
      [one, two].map((server) => clientOf(server, approver)("POST", `approvals/${id}/approve`, { json })),
    );
    expect(votes.map(({ status }) => status)).toContain(200);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => at(n % 2 === 0 ? one : two)));
    const decisions = answers.map(({ body }) => body["decision"]);
    expect(decisions.filter((decision) => decision === "allow")).toHaveLength(1);
    expect(new Set(decisions)).toEqual(new Set(["allow", "pause"]));
  });

  // proves STATE-06
  it("the last step of a session is taken by one of two gateways that ask for it at once", async () => {
    const cluster = await clusterOfTest(postgres());
    const [one, two] = await Promise.all([cluster.start("gw-1"), cluster.start("gw-2")]);
    const policy = "id: p\nagent_id: agent-1\ntools: { allowed: ['*'] }\nsession: { max_steps: 1 }\n";
    expect((await createPolicy(one.url, policy)).status).toBe(201);
    for (let race = 0; race < RACES; race += 1) {
      const body = callOf({ session_id: `session-${String(race)}` });
      const both = [one, two].map(({ url }) => send("POST", `${url}/api/v1/gateway/execute`, { body }));
      const decisions = (await Promise.all(both)).map((answer) => String(answer.body["decision"]));
      expect(decisions.sort((a, b) => a.localeCompare(b))).toEqual(["allow", "deny"]);
    }
  });

  // proves STATE-06, EXEC-18
  it("the outcome of a call is taken at another gateway than its decision, and counts once", async () => {
    const cluster = await clusterOfTest(postgres());
    const options = { callers: "adapter" } as const;
    const starts = ["gw-1", "gw-2"].map((name) => cluster.start(name, "all", options));
    const [one, two] = (await Promise.all(starts)) as [ServerProcess, ServerProcess];
    const policy = "id: p\nagent_id: agent-1\ntools: { allowed: ['*'] }\nsession: { max_steps: 1 }\n";
    expect((await createPolicy(one.url, policy)).status).toBe(201);
    const body = callOf({ session_id: "session" });
    const decide = async (url: string) =>
      (await send("POST", `${url}/api/v1/gateway/execute`, { body })).body;
    const report = (url: string, decision_id: unknown, status: string) =>
      send("POST", `${url}/api/v1/gateway/outcome`, { body: { decision_id, status } });
    const { decision_id } = await decide(one.url);
    expect(await decide(two.url)).toMatchObject({ decision: "deny", reason_code: "max_steps" });
    const reports = await Promise.all(
      [one, two, one, two].map(({ url }) => report(url, decision_id, "not_executed")),
    );
    expect(reports.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await report(two.url, decision_id, "succeeded")).status).toBe(409);
    const decisions = [await decide(two.url), await decide(one.url)].map((answer) => answer["decision"]);
    expect(decisions).toEqual(["allow", "deny"]);
  });

  // proves STATE-06
  it("a call that is repeated at another gateway after a kill -9 is charged once", async () => {
    const cluster = await clusterOfTest(postgres());
    const [one, two] = await Promise.all([cluster.start("gw-1"), cluster.start("gw-2")]);
    const policy = "id: p\nagent_id: agent-1\ntools: { allowed: ['*'] }\nsession: { max_steps: 2 }\n";
    expect((await createPolicy(one.url, policy)).status).toBe(201);
    const body = callOf({ session_id: "session" });
    const execute = (url: string, headers = {}) =>
      send("POST", `${url}/api/v1/gateway/execute`, { body, headers });
    const key = { "idempotency-key": "order-1" };
    const first = await execute(one.url, key);
    expect(first.body).toMatchObject({ decision: "allow" });
    await one.stop("SIGKILL");
    const { decision_id } = first.body;
    expect((await execute(two.url, key)).body).toMatchObject({
      decision: "allow",
      decision_id,
      repeated: true,
    });
    expect((await execute(two.url)).body).toMatchObject({ decision: "allow" });
    expect((await execute(two.url)).body).toMatchObject({ decision: "deny" });
    expect((await execute(two.url, key)).body).toMatchObject({ decision_id, repeated: true });
  });
});
