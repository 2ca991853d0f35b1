// peers: envoy
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type RunningExtproc, startExtproc } from "../support/adapters/extproc-process.ts";
import { type ClientAnswer, sendThrough } from "../support/adapters/extproc-stage.ts";
import { toolsCall } from "../support/adapters/tools-call.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { type RunningEnvoy, startEnvoy } from "../support/proxies/envoy-process.ts";
import { startWatchingBackend, type WatchingBackend } from "../support/proxies/watching-backend.ts";
import { createPolicy } from "../support/server/api.ts";
import { activate } from "../support/server/kill-switches.ts";
import { type ServerProcess, startServer } from "../support/server/server-process.ts";

const POLICY = `
id: refunds
agent_id: refund-agent
tools: { allowed: ['payments.*'], denied: [payments.close] }
rules:
  - id: hide-cards
    priority: 10
    match: { tool: '*' }
    action: redact
    redact: { detectors: [pii.credit_card], mask: last4 }
  - id: large
    priority: 20
    match:
      tool: payments.refund
      condition: { field: args.amount, operator: '>', value: 500 }
    action: require_approval
`;

// skip: a machine without Envoy; the runner says why there is none
describe.skipIf(missing.envoy)("client, Envoy, processor, server and backend, all of them real", () => {
  let server: ServerProcess;
  let backend: WatchingBackend;
  let extproc: RunningExtproc;
  let envoy: RunningEnvoy;
  beforeAll(async () => {
    server = await startServer();
    expect((await createPolicy(server.url, POLICY)).status).toBe(201);
    backend = await startWatchingBackend();
    extproc = await startExtproc(server.url);
    envoy = await startEnvoy({ extprocPort: extproc.port, backendPort: backend.port });
  });
  afterAll(async () => {
    await envoy?.stop();
    await extproc?.stop();
    await backend?.close();
    await server?.stop();
  });
  beforeEach(() => backend.forget());

  const call = (args: object, tool?: string): Promise<ClientAnswer> =>
    sendThrough(envoy, "/mcp", { body: toolsCall(args, tool) });

  it("an allow reaches the backend", async () => {
    expect((await call({ amount: 5 })).status).toBe(200);
    expect(JSON.parse(backend.seen[0]?.body ?? "")).toEqual(JSON.parse(toolsCall({ amount: 5 })));
  });

  it("a card number is masked before the backend sees it", async () => {
    expect((await call({ amount: 5, card: "4111 1111 1111 1111" })).status).toBe(200);
    const [seen] = backend.seen;
    expect(seen?.body).toContain("1111");
    expect(seen?.body).not.toContain("4111");
  });

  it("a large refund waits for a person", async () => {
    const { status, body } = await call({ amount: 501 });
    expect(status).toBe(202);
    expect(JSON.parse(body)).toMatchObject({
      decision: "pause",
      rule_id: "large",
      approval_url: expect.stringMatching(/^http/),
    });
    expect(backend.seen).toEqual([]);
  });

  it("a call that the policy denies is denied, with the id of its audit row", async () => {
    for (const tool of ["payments.close", "crm.delete"]) {
      const { status, body } = await call({}, tool);
      expect(status).toBe(403);
      expect(JSON.parse(body)).toMatchObject({
        decision: "deny",
        decision_id: expect.stringMatching(/./),
        fail_closed: false,
      });
    }
    expect(backend.seen).toEqual([]);
  });

  it("a kill switch stops the next call", async () => {
    const activated = await activate(server.url, { scope: "agent", target_id: "refund-agent" });
    expect(activated.status).toBe(201);
    const { status, body } = await call({ amount: 5 });
    expect(status).toBe(403);
    expect(JSON.parse(body)).toMatchObject({ decision: "deny", reason_code: "kill_switch" });
    expect(backend.seen).toEqual([]);
  });
});
