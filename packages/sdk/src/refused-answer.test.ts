import { startHttpGateway } from "@svc/decision-client/testing/faulty-gateway";
import { loadVectors } from "@svc/text/testing/vectors-suite";
import { describe, expect, it } from "vitest";
import { SvcClient } from "./svc-client.ts";

interface RefusalVector {
  readonly description: string;
  readonly status: number;
  readonly api_key: string | null;
  readonly path: string;
  readonly problem: object | null;
  readonly request_id: string | null;
  readonly retryable: boolean;
  readonly reason: string;
  readonly hint: string | null;
}

const CALL = { agentId: "agent-1" };
const PROBLEM = "application/problem+json";

describe("an answer without a verdict", () => {
  // proves LIB-10
  it.each(loadVectors<RefusalVector>("refusals"))("$description: says what to do", async (vector) => {
    const { status, api_key, path, problem, request_id, reason, hint, retryable } = vector;
    const gateway = await startHttpGateway((request, response) => {
      request.resume();
      const headers = { "content-type": problem === null ? "text/html" : PROBLEM };
      const named = request_id === null ? {} : { "x-request-id": request_id };
      response.writeHead(status, { ...headers, ...named }).end(JSON.stringify(problem ?? "<html>"));
    });
    const client = new SvcClient({ baseUrl: `${gateway.url}${path}`, apiKey: api_key ?? undefined });
    const verdict = await client.decide("payments.refund", {}, CALL);
    expect(verdict).toMatchObject({ decision: "deny", reason_code: "gateway_refused", fail_closed: true });
    expect(verdict).toMatchObject({ reason, retryable });
    expect("hint" in verdict ? verdict.hint : null).toBe(hint);
    await gateway.close();
  });

  it.each([
    ["never ends", (write: (text: string) => void) => write('{"detail":"')],
    ["is not an object", (write: (text: string) => void) => write("[]")],
    ["is too long", (write: (text: string) => void) => write(`{"detail":"${"x".repeat(20_000)}"}`)],
  ])("is a deny without a detail when its problem %s", async (_name, send) => {
    const gateway = await startHttpGateway((request, response) => {
      request.resume();
      response.writeHead(403, { "content-type": PROBLEM, "content-length": "30000" });
      send((text) => void response.write(text));
    });
    const client = new SvcClient({ baseUrl: gateway.url, apiKey: "k" });
    const verdict = await client.decide("payments.refund", {}, CALL);
    const reason = "The gateway answered with status 403: the API key does not permit this call.";
    expect(verdict).toMatchObject({ reason_code: "gateway_refused", reason });
    await gateway.close();
  });
});
