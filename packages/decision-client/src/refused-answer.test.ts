import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { createDecisionClient } from "./decision-client.ts";
import { ALLOW_BODY } from "./testing/answers.ts";
import { startHttpGateway } from "./testing/faulty-gateway.ts";

const CALL = {
  agent_id: "agent-1",
  session_id: null,
  tool: "payments.refund",
  args: {},
  namespace: null,
  cost_micro_usd: null,
};

/** The deny of a client with a key, of a gateway that refuses with a problem which `send` writes. */
async function denyOf(explainsRefusals: boolean, send: (response: ServerResponse) => void, headers = {}) {
  const gateway = await startHttpGateway((request, response) => {
    request.resume();
    send(response.writeHead(403, { "content-type": "application/problem+json", ...headers }));
  });
  const settings = {
    gatewayUrl: new URL(gateway.url),
    apiKey: "svc_id_secret",
    orgId: null,
    timeoutMs: 5_000,
  };
  const ports = { monotonicMs: () => performance.now(), onFault: () => {} };
  const client = createDecisionClient({ ...settings, explainsRefusals }, ports);
  const verdict = await client.decide(CALL);
  await client.close();
  await gateway.close();
  expect(verdict).toMatchObject({ decision: "deny", reason_code: "gateway_refused", fail_closed: true });
  return verdict;
}

const REFUSED = "The gateway answered with status 403: the API key does not permit this call.";

it("repeats what the gateway says only where it reaches the one who set the key", async () => {
  const send = (response: ServerResponse) => void response.end('{"detail":"Use another key"}');
  expect(await denyOf(true, send)).toMatchObject({ reason: `${REFUSED} Use another key.` });
  expect(await denyOf(false, send)).toMatchObject({ reason: expect.not.stringContaining("another key") });
});

interface Broken {
  readonly how: string;
  readonly send: (response: ServerResponse) => void;
  readonly headers?: Readonly<Record<string, string>>;
}

const BROKEN: readonly Broken[] = [
  { how: "never ends", send: (response) => void response.write('{"detail":"') },
  {
    how: "breaks off",
    send: (response) => void response.write('{"detail":"a"', () => response.destroy()),
    headers: { "content-length": "100" },
  },
  { how: "is too long", send: (response) => void response.end(`{"detail":"${"x".repeat(20_000)}"}`) },
  {
    how: "is encoded",
    send: (response) => void response.end('{"detail":"a"}'),
    headers: { "content-encoding": "gzip" },
  },
  { how: "is a verdict", send: (response) => void response.end(ALLOW_BODY) },
];

it.each(BROKEN)("is a deny without a detail when its problem $how", async ({ send, headers }) => {
  expect(await denyOf(true, send, headers)).toMatchObject({ reason: REFUSED });
});
