import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPolicy, execute, send } from "../support/server/api.ts";
import { evaluatedInTime } from "../support/server/evaluated-in-time.ts";
import { type ServerProcess, startServer } from "../support/server/server-process.ts";

const YAML = { "content-type": "application/yaml" };

let server: ServerProcess;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const policyOf = (condition: string): string => `id: spend
agent_id: spender
tools: {allowed: [payments.send]}
rego: |
  package spend

  deny contains "at most 100" if not small

  small if ${condition}
`;
const GOOD = policyOf("input.args.amount <= 100");
const BROKEN = policyOf("input.arg.amount <= 100");
const WHERE = { code: "rego/type", line: 9, column: 12, pointer: "/rego", fix: "Did you mean input.args?" };

describe("a policy with a module", () => {
  // proves REGO-06
  it("is refused at the line of the module, by validation, a dry run and an upload alike", async () => {
    const validated = await send("POST", `${server.url}/api/v1/policies/validate`, {
      body: BROKEN,
      headers: YAML,
    });
    expect(validated.body).toMatchObject({ valid: false, diagnostics: [WHERE] });
    const dryRun = await send("POST", `${server.url}/api/v1/policies?dry_run=true`, {
      body: BROKEN,
      headers: YAML,
    });
    for (const { status, body } of [dryRun, await createPolicy(server.url, BROKEN)])
      expect([status, body]).toEqual([
        422,
        expect.objectContaining({ errors: [expect.objectContaining(WHERE)] }),
      ]);
  });

  it("is accepted, and decides the next call with its messages", async () => {
    const dryRun = await send("POST", `${server.url}/api/v1/policies?dry_run=true`, {
      body: GOOD,
      headers: YAML,
    });
    expect([dryRun.status, (await createPolicy(server.url, GOOD)).status]).toEqual([200, 201]);
    const decide = (args: object) =>
      evaluatedInTime(() => execute(server.url, { agent_id: "spender", tool: "payments.send", args }));
    expect(await decide({ amount: 100 })).toMatchObject({ decision: "allow", policy_version: 1 });
    const denied = { decision: "deny", reason_code: "rego", rule_id: "rego:deny", reason: "at most 100" };
    expect(await decide({ amount: 101 })).toMatchObject(denied);
    expect(await decide({})).toMatchObject(denied);
  });
});
