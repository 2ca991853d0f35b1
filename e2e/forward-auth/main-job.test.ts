// peers: nginx, caddy, haproxy, traefik
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type RunningCheckgw, startCheckgw } from "../support/adapters/checkgw-process.ts";
import {
  answerFromBackend,
  BACKEND_BODY,
  type RecordingServer,
  startRecordingServer,
} from "../support/adapters/recording-server.ts";
import {
  type ForwardAuthProxy,
  forwardAuthProxies,
  type RunningProxy,
  SHIPPED_AGENT,
} from "../support/proxies/forward-auth-proxies.ts";
import { type RawResponse, sendRaw } from "../support/requests/raw-http.ts";
import { createPolicy } from "../support/server/api.ts";
import { checkedExport } from "../support/server/audit-export.ts";
import { activateEnforced, deactivate } from "../support/server/kill-switches.ts";
import { type ServerProcess, serverOfTest, startServer } from "../support/server/server-process.ts";

const POLICY = `id: refunds
agent_id: ${SHIPPED_AGENT}
tools: { allowed: [payments.*] }
`;
const MAX_STEPS = 10;

describe.each(forwardAuthProxies)("$name, svc-checkgw and the gateway", (proxy: ForwardAuthProxy) => {
  const missing = proxy.missing();
  let server: ServerProcess;
  let checkgw: RunningCheckgw;
  let backend: RecordingServer;
  let running: RunningProxy;

  beforeAll(async () => {
    if (missing !== null) return;
    server = await startServer();
    expect((await createPolicy(server.url, POLICY)).status).toBe(201);
    backend = await startRecordingServer(answerFromBackend);
    checkgw = await startCheckgw(server.url, { SVC_DECISION_TIMEOUT_MS: "1000" });
    running = await proxy.start({ checkgwPort: checkgw.port, backendPort: backend.port });
  });
  afterAll(async () => {
    await running?.stop();
    await checkgw?.stop();
    await backend?.close();
    await server?.stop("SIGKILL");
  });
  beforeEach(({ skip }) => {
    skip(missing !== null, missing ?? "");
    backend.forget();
  });

  const refund = (): Promise<RawResponse> =>
    sendRaw(running.port, { method: "POST", target: "/refunds", body: '{"amount":1}' });
  const readOrders = (): Promise<RawResponse> => sendRaw(running.port, { method: "GET", target: "/orders" });

  async function expectPassed(): Promise<void> {
    expect(await refund()).toMatchObject({ status: 200, body: BACKEND_BODY });
    expect(backend.requests).toHaveLength(1);
    backend.forget();
  }

  async function expectStopped(ask: () => Promise<RawResponse>): Promise<void> {
    expect((await ask()).status).toBe(403);
    expect(backend.requests).toEqual([]);
  }

  // proves CHK-02, CHK-03, AUD-01
  it("I1: what is allowed reaches the backend, what is denied does not, and both are on record", async () => {
    await expectPassed();
    await expectStopped(readOrders);
    const rows = (await checkedExport(server.url))
      .map(({ row }) => row)
      .filter((row) => row["kind"] === "decision");
    expect(rows.map((row) => [row["agent_id"], row["tool"], row["decision"]])).toEqual([
      [SHIPPED_AGENT, "payments.refund", "allow"],
      [SHIPPED_AGENT, "orders.read", "deny"],
    ]);
  });

  // proves KILL-21
  it.each([
    { scope: "agent", target_id: SHIPPED_AGENT },
    { scope: "tool", target_id: "payments.refund" },
    { scope: "namespace", target_id: "default" },
    { scope: "global" },
  ])("I5: a kill switch stops the very next request, and its end lets requests pass: %j", async (target) => {
    await expectPassed();
    const { body } = await activateEnforced(server.url, target);
    await expectStopped(refund);
    expect((await deactivate(server.url, body["kill_switch_id"])).status).toBe(200);
    await expectPassed();
  });

  // proves CHK-11
  it("I10: when the gateway is killed every request is stopped", async () => {
    await expectPassed();
    await server.stop("SIGKILL");
    await expectStopped(refund);
    await expectStopped(readOrders);
  });
});

// proves CHK-10
it("E18: a /check that is repeated with its key counts once, one with another key counts again", async () => {
  const { url } = await serverOfTest();
  const policy = `${POLICY}session: { max_steps: ${String(MAX_STEPS)} }\n`;
  expect((await createPolicy(url, policy)).status).toBe(201);
  const checkgw = await startCheckgw(url);
  const check = async (key: string): Promise<number> => {
    const headers = {
      "x-svc-agent-id": SHIPPED_AGENT,
      "x-svc-session-id": "s-1",
      "x-svc-tool": "payments.refund",
      "x-svc-idempotency-key": key,
    };
    return (await fetch(`http://127.0.0.1:${String(checkgw.port)}/check`, { headers })).status;
  };
  try {
    const repeated = await Promise.all(Array.from({ length: 50 }, () => check("the-same-key-0001")));
    expect(new Set(repeated)).toEqual(new Set([200]));
    const others: number[] = [];
    for (let step = 0; step < MAX_STEPS; step += 1)
      others.push(await check(`another-key-${String(1_000 + step)}`));
    expect(others).toEqual([...Array.from({ length: MAX_STEPS - 1 }, () => 200), 403]);
  } finally {
    await checkgw.stop();
  }
});
