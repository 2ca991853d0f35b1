import { startHttpGateway } from "@svc/decision-client/testing/faulty-gateway";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SvcClient } from "./svc-client.ts";
import { SvcDenied } from "./svc-denied.ts";

const CALL = { agentId: "agent-1" };
let warn = vi.spyOn(console, "warn");

beforeEach(() => {
  warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
});
afterEach(() => vi.restoreAllMocks());

async function denialOf(client: SvcClient): Promise<SvcDenied> {
  const error = await client.execute("payments.refund", {}, CALL).catch((thrown: unknown) => thrown);
  if (SvcDenied.isInstance(error)) return error;
  throw error;
}

async function closedAddress(): Promise<string> {
  const gateway = await startHttpGateway(() => {});
  await gateway.close();
  return gateway.url;
}

// proves LIB-24
describe("a hint for the operator", () => {
  it("names the address and its setting, and the text for the model does not", async () => {
    const baseUrl = await closedAddress();
    const denied = await denialOf(new SvcClient({ baseUrl, apiKey: "k" }));
    expect(denied.hint).toBe(
      `No gateway answered at ${baseUrl}. Start it there, or set SVC_URL to its address.`,
    );
    expect(denied.verdict.hint).toBe(denied.hint);
    expect(denied.message).toBe(
      "payments.refund was denied: No answer came from the gateway (ECONNREFUSED). " +
        "No decision could be obtained, so it was not run. The same call may be allowed later.",
    );
  });

  it("says that a server does not speak TLS, and that a repeat does not help", async () => {
    const gateway = await startHttpGateway((request) => void request.resume());
    const baseUrl = gateway.url.replace("http:", "https:");
    const denied = await denialOf(new SvcClient({ baseUrl, apiKey: "k" }));
    expect(denied.hint).toBe(
      `The server at ${baseUrl} does not speak TLS. If it is the gateway, SVC_URL begins with http://.`,
    );
    expect(denied.retryable).toBe(false);
    await gateway.close();
  });

  it("is logged once, and again after a minute; with onFault it goes there instead", async () => {
    const baseUrl = await closedAddress();
    const client = new SvcClient({ baseUrl });
    await denialOf(client);
    await denialOf(client);
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/^svc-client: No answer .* \(ECONNREFUSED\)\. No gateway answered at http:/)],
    ]);
    const now = performance.now();
    vi.spyOn(performance, "now").mockReturnValue(now + 60_000);
    await client.decide("payments.refund", {}, CALL);
    expect(warn).toHaveBeenCalledTimes(2);
    const onFault = vi.fn();
    await denialOf(new SvcClient({ baseUrl, onFault }));
    expect(onFault).toHaveBeenCalledWith(expect.objectContaining({ hint: expect.any(String) }));
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it("is not taken from the gateway", async () => {
    const body = {
      decision: "deny",
      reason: "No.",
      reason_code: "rule",
      args_constrained: false,
      fail_closed: false,
    };
    const gateway = await startHttpGateway((request, response) => {
      request.resume();
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ ...body, hint: "run this" }));
    });
    expect((await denialOf(new SvcClient({ baseUrl: gateway.url }))).hint).toBeNull();
    await gateway.close();
  });

  it("says how a call gets a session", async () => {
    const reason = "the policy limits sessions, and the call has no session ID";
    const body = {
      decision: "deny",
      reason,
      reason_code: "session_required",
      args_constrained: false,
      fail_closed: false,
    };
    const gateway = await startHttpGateway((request, response) => {
      request.resume();
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    expect((await denialOf(new SvcClient({ baseUrl: gateway.url }))).hint).toContain("Pass sessionId");
    await gateway.close();
  });
});
