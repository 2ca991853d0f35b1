import { expect, it } from "vitest";
import { type DecisionClient, decideOverExchange } from "./decide-over-exchange.ts";
import { createSingleExchange } from "./single-exchange.ts";
import { ALLOW_BODY } from "./testing/answers.ts";
import { FAULT_TIMEOUT_MS, failClosedFaults } from "./testing/fail-closed-suite.ts";
import { startHttpGateway, startRawGateway } from "./testing/faulty-gateway.ts";

const CALL = {
  agent_id: "agent-1",
  session_id: null,
  tool: "payments.refund",
  args: { note: "ä" },
  namespace: null,
  cost_micro_usd: null,
};

function clientOf(url: string, apiKey: string | null = null): DecisionClient {
  const settings = { gatewayUrl: new URL(url), apiKey, orgId: null, timeoutMs: FAULT_TIMEOUT_MS };
  const ports = { monotonicMs: () => performance.now(), onFault: () => {} };
  return decideOverExchange(createSingleExchange(settings), settings, ports);
}

it("sends each question once, whole, with the key and below the path of the address", async () => {
  const seen: unknown[] = [];
  const gateway = await startHttpGateway((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { authorization, "idempotency-key": key, "content-length": length } = request.headers;
      const body = Buffer.concat(chunks);
      seen.push([request.method, request.url, authorization, key, Number(length) === body.byteLength]);
      response.writeHead(200, { "content-type": "application/json" }).end(ALLOW_BODY);
    });
  });
  const client = clientOf(`${gateway.url}/base/`, "svc_id_secret");
  for (const idempotencyKey of ["one", "two"])
    expect(await client.decide(CALL, { idempotencyKey })).toMatchObject({ decision: "allow" });
  const asked = (key: string) => ["POST", "/base/api/v1/gateway/execute", "Bearer svc_id_secret", key, true];
  expect(seen).toEqual([asked("one"), asked("two")]);
  await client.close();
  await gateway.close();
});

// proves CODE-01
it("takes no answer from a gateway with two values of a header that decides", async () => {
  const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-type: text/html\r\n";
  const gateway = await startRawGateway((socket) =>
    socket.end(`${head}content-length: ${String(ALLOW_BODY.length)}\r\n\r\n${ALLOW_BODY}`),
  );
  expect(await clientOf(gateway.url).decide(CALL)).toMatchObject({ reason_code: "verdict_unreadable" });
  await gateway.close();
});

it("ends open questions when it is closed", async () => {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const gateway = await startHttpGateway(() => resolve());
  const client = clientOf(gateway.url);
  const verdict = client.decide(CALL);
  await asked;
  await client.close();
  expect(await verdict).toMatchObject({ decision: "deny", reason_code: "gateway_unreachable" });
  await gateway.close();
});

// proves CODE-01
it.concurrent.for(failClosedFaults)("I10: $wanted: $name", async ({ start, wanted }) => {
  const gateway = await start();
  const client = clientOf(gateway.url, "svc_id_secret");
  const verdict = await client.decide(CALL);
  expect(verdict).toMatchObject({ decision: "deny", fail_closed: true, reason_code: wanted });
  await client.close();
  await gateway.close();
});
