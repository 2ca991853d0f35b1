import type { ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { Verdict } from "@svc/contract/verdict";
import { describe, expect, it, onTestFinished } from "vitest";
import { createDecisionClient, type DecisionClient } from "./decision-client.ts";
import { ALLOW_BODY } from "./testing/answers.ts";
import { startHttpGateway } from "./testing/faulty-gateway.ts";

const CALL = {
  agent_id: "agent-1",
  session_id: null,
  tool: "payments.refund",
  args: { amount: 1 },
  namespace: null,
  cost_micro_usd: null,
};

interface Seen {
  readonly name: string;
  readonly port: number | undefined;
}

/** A gateway of which each answer is scripted, and a client that asks it one question after the other. */
async function serve(reply: (response: ServerResponse, name: string, count: number) => void) {
  const seen: Seen[] = [];
  const gateway = await startHttpGateway((request, response) => {
    request.resume();
    request.on("end", () => {
      const name = String(request.headers["x-request-id"]);
      seen.push({ name, port: request.socket.remotePort });
      reply(response, name, seen.length);
    });
  });
  const settings = { gatewayUrl: new URL(gateway.url), apiKey: null, orgId: null, timeoutMs: 10_000 };
  const ports = { monotonicMs: () => performance.now(), onFault: () => {} };
  const client: DecisionClient = createDecisionClient(settings, ports);
  onTestFinished(async () => {
    await client.close();
    await gateway.close();
  });
  return { client, seen };
}

function allow(response: ServerResponse, headers: Readonly<Record<string, string | string[]>> = {}): void {
  response.writeHead(200, { "content-type": "application/json", ...headers }).end(ALLOW_BODY);
}

/** Asks when the connection of the question before is free again: a pool takes another one for a busy one. */
async function askInTurn(client: DecisionClient, count: number): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (let asked = 0; asked < count; asked += 1) {
    verdicts.push(await client.decide(CALL));
    await setImmediate();
  }
  return verdicts;
}

async function decisionsOf(client: DecisionClient, count: number): Promise<readonly string[]> {
  return (await askInTurn(client, count)).map(({ decision }) => decision);
}

const NOT_NAMED = [{}, { "x-request-id": "6f1e6a1e-6a0b-4c0c-9a43-1d4b2f0b7f0e" }] as const;

// proves FAIL-10
describe("on a connection that is kept", () => {
  it("a second answer to one question is not the answer to the next", async () => {
    // The gateway would deny the second question.
    const { client, seen } = await serve((response, name, count) =>
      allow(response, { "x-request-id": count === 2 ? (seen[0]?.name ?? "") : name }),
    );
    expect(await askInTurn(client, 3)).toMatchObject([
      { decision: "allow" },
      {
        decision: "deny",
        reason_code: "gateway_unreachable",
        fail_closed: true,
        reason: expect.stringContaining("ANSWER_TO_ANOTHER_REQUEST"),
      },
      { decision: "allow" },
    ]);
    const [one, two, three] = seen.map(({ port }) => port);
    expect([two === one, three === one]).toEqual([true, false]);
    expect(new Set(seen.map(({ name }) => name)).size).toBe(3);
  });

  it.each(NOT_NAMED)("a verdict names its request where one before it did: %o", async (headers) => {
    const { client } = await serve((response, name, count) =>
      allow(response, count === 1 ? { "x-request-id": name } : headers),
    );
    // The third question goes over another connection, on which nothing is named.
    expect(await decisionsOf(client, 3)).toEqual(["allow", "deny", "allow"]);
  });

  it.each(NOT_NAMED)("a proxy may take the name away: %o", async (headers) => {
    const { client, seen } = await serve((response) => allow(response, headers));
    expect(await decisionsOf(client, 3)).toEqual(["allow", "allow", "allow"]);
    expect(new Set(seen.map(({ port }) => port)).size).toBe(1);
  });

  it("a proxy may add its own name, or answer in place of the gateway", async () => {
    const { client, seen } = await serve((response, name, count) => {
      if (count === 2) response.writeHead(503).end();
      else allow(response, { "x-request-id": [name, "of-a-proxy"] });
    });
    expect(await decisionsOf(client, 3)).toEqual(["allow", "deny", "allow"]);
    expect(new Set(seen.map(({ port }) => port)).size).toBe(1);
  });
});
