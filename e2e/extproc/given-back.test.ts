// peers: envoy
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningExtproc, startExtproc } from "../support/adapters/extproc-process.ts";
import { sendThrough } from "../support/adapters/extproc-stage.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { type ConfigurationChange, type RunningEnvoy, startEnvoy } from "../support/proxies/envoy-process.ts";
import { startWatchingBackend, type WatchingBackend } from "../support/proxies/watching-backend.ts";
import { createPolicy } from "../support/server/api.ts";
import { checkedExport } from "../support/server/audit-export.ts";
import { type ServerProcess, startServer } from "../support/server/server-process.ts";

const MAX_STEPS = 3;

const POLICY = `
id: answers
agent_id: refund-agent
tools: { allowed: [orders.read, sql.run], denied: [payments.refund] }
session: { max_steps: ${String(MAX_STEPS)} }
rules:
  - id: mask
    priority: 10
    match: { tool: sql.run }
    action: redact
    redact: { detectors: [pii.credit_card], mask: last4 }
`;

/** The shipped configuration names no session; ceilings need one. */
const IN_ONE_SESSION: ConfigurationChange = [
  "- remove_on_match: { key_matcher: { prefix: x-svc-, ignore_case: true } }",
  `- remove_on_match: { key_matcher: { prefix: x-svc-, ignore_case: true } }
                        - append:
                            header: { key: x-svc-session-id, value: session-1 }
                            append_action: OVERWRITE_IF_EXISTS_OR_ADD`,
];

const call = (name: string): object => ({ type: "function", function: { name, arguments: "{}" } });
const custom = { type: "custom", custom: { name: "sql.run", input: "card 4111 1111 1111 1111" } };

// proves XPR-13
// skip: a machine without Envoy; the runner says why there is none
describe.skipIf(missing.envoy)("calls of one answer are executed together or not at all", () => {
  let server: ServerProcess;
  let backend: WatchingBackend;
  let extproc: RunningExtproc;
  let envoy: RunningEnvoy;
  beforeAll(async () => {
    server = await startServer();
    expect((await createPolicy(server.url, POLICY)).status).toBe(201);
    backend = await startWatchingBackend();
    extproc = await startExtproc(server.url);
    envoy = await startEnvoy({ extprocPort: extproc.port, backendPort: backend.port }, [IN_ONE_SESSION]);
  });
  afterAll(async () => {
    await envoy?.stop();
    await extproc?.stop();
    await backend?.close();
    await server?.stop();
  });

  async function answerCalling(...calls: readonly object[]): Promise<number> {
    const body = JSON.stringify({ choices: [{ message: { tool_calls: calls } }] });
    backend.answerWith({ status: 200, headers: { "content-type": "application/json" }, body });
    return (await sendThrough(envoy, "/v1/chat/completions", { body: "{}" })).status;
  }

  async function givenBack(): Promise<number> {
    const rows = await checkedExport(server.url);
    return rows.filter(({ row }) => row["status"] === "not_executed").length;
  }

  it("steps of calls that never ran are returned, more often than the session has steps", async () => {
    const refused: readonly (readonly object[])[] = [
      [call("orders.read"), call("payments.refund")],
      [call("orders.read"), call("orders.read"), call("payments.refund")],
      [call("orders.read"), custom],
      [call("orders.read"), call("payments.refund")],
    ];
    let expected = 0;
    for (const calls of refused) {
      expect(await answerCalling(...calls)).toBe(403);
      expected += calls.includes(custom) ? 2 : calls.length - 1;
      await expect.poll(givenBack, { timeout: 5_000 }).toBe(expected);
    }
    expect(expected).toBeGreaterThan(MAX_STEPS);
    for (let step = 0; step < MAX_STEPS; step += 1) {
      expect(await answerCalling(call("orders.read"))).toBe(200);
    }
    expect(await answerCalling(call("orders.read"))).toBe(403);
    expect(await givenBack()).toBe(expected);
  });
});
