import { once } from "node:events";
import { type IncomingMessage, type Server, request as startRequest } from "node:http";
import { text } from "node:stream/consumers";
import { DEFAULT_NAMESPACE } from "@svc/contract/execute-request";
import { type Problem, problem } from "@svc/contract/problem";
import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { adminPrincipal } from "@svc/contract/testing/principals";
import { failClosedDeny, type Verdict } from "@svc/contract/verdict";
import type { Gateway } from "@svc/gateway/gateway";
import { LargeCallThread } from "@svc/gateway/large-call-thread";
import { createEdgeServer } from "@svc/http-edge/edge-server";
import { listen } from "@svc/http-edge/listen";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Authenticate } from "../authentication.ts";
import { Admission } from "./admission/admission.ts";
import { GatewayEndpoints } from "./gateway-endpoints.ts";

const ALLOW: Verdict = { decision: "allow", decision_id: "gw.0", args_constrained: false };
const ignore = (): void => undefined;
const SILENT = { error: ignore, warn: ignore, info: ignore, debug: ignore };
const CALL = { agent_id: "a", tool: "t" };

const accepted = (
  changed: Parameters<typeof adminPrincipal>[0] = {},
  refusal: () => Problem | null = () => null,
) => ({ kind: "principal", principal: adminPrincipal(changed), refusal }) as const;
const keepOut: Authenticate = () => ({ kind: "problem", problem: problem("unauthenticated", "no key") });
const letIn: Authenticate = () => accepted();

interface Setup {
  readonly gateway?: Partial<Gateway>;
  readonly authenticate?: Authenticate;
  readonly maxInFlight?: number;
  readonly docsUrl?: string;
}

/** Serves `execute` on every path and returns how to call it. */
async function serve({ gateway = {}, authenticate = letIn, maxInFlight = 100, docsUrl = "" }: Setup) {
  const decided = vi.fn(gateway.execute ?? (async () => ALLOW));
  const unregistered: Gateway["namespaceOf"] = (_org, { namespace }) => namespace ?? DEFAULT_NAMESPACE;
  const reportOutcome: Gateway["reportOutcome"] = async () => ({ kind: "recorded" });
  const others = {
    reportOutcome,
    executeOnce: async () => ALLOW,
    namespaceOf: unregistered,
    isRegistered: () => false,
  };
  const all = { ...others, ...gateway, execute: decided } as unknown as Gateway;
  const largeCalls = new LargeCallThread({ log: SILENT, digestKey: "5a".repeat(32) });
  onTestFinished(() => largeCalls.close());
  const parts = {
    gateway: all,
    admission: new Admission(),
    largeCalls,
    log: SILENT,
    noteRefusal: () => undefined,
    docsUrl,
    publicUrl: "http://svc.test",
  };
  const endpoints = new GatewayEndpoints({ ...parts, authenticate, maxInFlight });
  const handle: Parameters<typeof createEdgeServer>[0]["handle"] = (request, response) =>
    request.url === "/outcome" ? endpoints.outcome(request, response) : endpoints.execute(request, response);
  const server: Server = createEdgeServer({ handle, onError: (error) => expect.unreachable(String(error)) });
  const listening = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => listening.close(0));
  const post = async (body: string, headers: Record<string, string> = {}, path = "/") => {
    const init = { method: "POST", body, headers: { "content-type": "application/json", ...headers } };
    const response = await fetch(listening.url + path, init);
    return { status: response.status, headers: response.headers, body: (await response.json()) as object };
  };
  return { post, decided, url: listening.url };
}

/** A request with any Host, which fetch would set itself. */
async function sendRaw(url: string, body: string, headers: Record<string, string>) {
  const sent = startRequest(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
  });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { status: response.statusCode, text: await text(response) };
}

describe("gateway/execute", () => {
  it("answers the gateway's verdict as it is", async () => {
    const { post, decided } = await serve({});
    expect(await post(JSON.stringify(CALL))).toMatchObject({ status: 200, body: ALLOW });
    const [received] = decided.mock.calls[0] ?? [];
    expect(received).toMatchObject({
      principal: adminPrincipal(),
      request: { agent_id: "a", tool: "t", session_id: null, namespace: null },
    });
  });

  // proves API-40
  it.each([
    ["", "/docs/reasons#reason-tool_denied"],
    ["https://svc.example/x", "https://svc.example/x/docs/reasons#reason-tool_denied"],
  ])("names the page about the reason below the public address %j", async (docsUrl, docs) => {
    const deny: Verdict = { ...failClosedDeny("control_state_unverified", "r"), reason_code: "tool_denied" };
    const { post } = await serve({ gateway: { execute: async () => deny }, docsUrl });
    expect(await post(JSON.stringify(CALL))).toMatchObject({ status: 200, body: { docs } });
  });

  it.each([
    { name: "text that is not JSON", body: "{", status: 400, code: "malformed_json" },
    { name: "E3: a repeated key", body: '{"tool":"a","tool":"b"}', status: 400, code: "malformed_json" },
    { name: "a missing field", body: '{"agent_id":"a"}', status: 400, code: "invalid_request" },
    {
      name: "E7: another media type",
      headers: { "content-type": "text/plain" },
      status: 415,
      code: "unsupported_media_type",
    },
    {
      name: "E6: a compressed body",
      headers: { "content-encoding": "gzip" },
      status: 415,
      code: "unsupported_media_type",
    },
    {
      name: "E5: too large a body",
      body: `"${"x".repeat(256 * 1024)}"`,
      status: 413,
      code: "body_too_large",
    },
    {
      name: "arguments that are too long for a row once they are written out",
      body: `{"agent_id":"a","tool":"t","args":{"n":[${"1e15,".repeat(50_000)}1]}}`,
      status: 413,
      code: "body_too_large",
    },
    {
      name: "a malformed Idempotency-Key",
      headers: { "idempotency-key": "a b" },
      status: 400,
      code: "invalid_header",
    },
  ])("refuses $name before anything is decided", async ({ body, headers, status, code }) => {
    const { post, decided } = await serve({});
    expect(await post(body ?? JSON.stringify(CALL), headers)).toMatchObject({ status, body: { code } });
    expect(decided).not.toHaveBeenCalled();
  });

  // proves AUTH-12
  it.each<readonly [string, Record<string, string>, number]>([
    ["another site", { "sec-fetch-site": "cross-site" }, 403],
    ["the same site", { "sec-fetch-site": "same-site" }, 403],
    ["another origin", { origin: "https://evil.example" }, 403],
    ["no origin that has a name", { origin: "null" }, 403],
    ["a name that leads here", { origin: "http://svc.evil", host: "svc.evil" }, 403],
    ["the server's own address", { origin: "http://svc.test", host: "svc.test" }, 200],
    ["an address that a person typed", { "sec-fetch-site": "none" }, 200],
    ["a program that follows fetch", { "sec-fetch-mode": "cors" }, 200],
  ])("answers a page of %s or not", async (_, headers, status) => {
    const { url, decided } = await serve({});
    for (const path of ["/", "/outcome"]) {
      const body = JSON.stringify(path === "/" ? CALL : { decision_id: "gw.0", status: "succeeded" });
      const answer = await sendRaw(url + path, body, headers);
      expect({ path, status: answer.status }).toEqual({ path, status });
      if (status === 403) expect(answer.text).toMatch(/"forbidden".* (browser|SVC_PUBLIC_URL)/);
    }
    expect(decided).toHaveBeenCalledTimes(status === 200 ? 1 : 0);
  });

  // proves AUTH-12
  it("refuses a foreign page before its key is looked at", async () => {
    const { post } = await serve({ authenticate: keepOut });
    expect((await post("{", { "sec-fetch-site": "cross-site" })).status).toBe(403);
  });

  it("asks for credentials first", async () => {
    const { post, decided } = await serve({ authenticate: keepOut });
    expect(await post("{")).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
    expect(decided).not.toHaveBeenCalled();
  });

  // proves AUTH-07
  it.each(["operator", "approver", "policy_author", "auditor"] as const)(
    "refuses a key of role %s before anything is read",
    async (role) => {
      const { post, decided } = await serve({ authenticate: () => accepted({ role }) });
      for (const path of ["/", "/outcome"])
        expect(await post("{", {}, path)).toMatchObject({ status: 403, body: { code: "forbidden" } });
      expect(decided).not.toHaveBeenCalled();
    },
  );

  // proves AUTH-09
  it.each([
    ["another agent", { ...CALL, agent_id: "b" }, "agent a; the request names agent b"],
    ["another namespace", { ...CALL, namespace: "hr" }, "namespace payments; the request names namespace hr"],
    [
      "no namespace, which is the default one",
      CALL,
      "the request names no namespace, and agent a is not registered, so namespace default applies",
    ],
    [
      "another agent in a large call",
      { ...CALL, agent_id: "b", args: { text: "x".repeat(20_000) } },
      "the request names agent b",
    ],
  ])("refuses a bound key that names %s", async (_name, call, detail) => {
    const bound = { role: "agent", agents: new Set(["a"]), namespaces: new Set(["payments"]) } as const;
    const { post, decided } = await serve({ authenticate: () => accepted(bound) });
    expect(await post(JSON.stringify(call))).toMatchObject({
      status: 403,
      body: { code: "forbidden", detail: expect.stringContaining(detail) as unknown },
    });
    expect(decided).not.toHaveBeenCalled();
    const own = { ...call, agent_id: "a", namespace: "payments" };
    expect(await post(JSON.stringify(own))).toMatchObject({ status: 200 });
  });

  // proves KEY-04
  it("decides nothing when the key ended while the body arrived", async () => {
    const ended = problem("unauthenticated", "revoked");
    const { post, decided } = await serve({ authenticate: () => accepted({}, () => ended) });
    expect(await post(JSON.stringify(CALL))).toMatchObject({ status: 401 });
    expect(decided).not.toHaveBeenCalled();
  });

  // proves KEY-04, KEY-08
  it.each(["unauthenticated", "unavailable"] as const)(
    "sends no allow when the key is %s once the call was decided, but sends a deny",
    async (code) => {
      const verdicts: Verdict[] = [ALLOW, failClosedDeny("control_state_unverified", "unverified")];
      let wasDecided = false;
      const refusal = () => (wasDecided ? problem(code, "ended") : null);
      const execute = async () => {
        wasDecided = true;
        return verdicts.shift() ?? ALLOW;
      };
      const { post } = await serve({ gateway: { execute }, authenticate: () => accepted({}, refusal) });
      expect(await post(JSON.stringify(CALL))).toMatchObject({ body: { code } });
      wasDecided = false;
      expect(await post(JSON.stringify(CALL))).toMatchObject({ status: 200, body: { decision: "deny" } });
    },
  );

  it("knows POST only", async () => {
    const { url } = await serve({});
    const response = await fetch(url);
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });

  // proves EXEC-15
  it("turns away what it has no room for with 503 and Retry-After, and takes calls again later", async () => {
    const held = Promise.withResolvers<Verdict>();
    const { post } = await serve({ gateway: { execute: () => held.promise }, maxInFlight: 2 });
    const inFlight = [post(JSON.stringify(CALL)), post(JSON.stringify(CALL))];
    const refused = await vi.waitFor(async () => {
      const answer = await post(JSON.stringify(CALL));
      expect(answer.status).toBe(503);
      return answer;
    }, CONDITION_MS);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.body).toMatchObject({ code: "overloaded" });
    held.resolve(ALLOW);
    expect((await Promise.all(inFlight)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await post(JSON.stringify(CALL))).status).toBe(200);
  });

  // proves FAIR-06
  it("turns away what one agent has too much of with 429, while others are answered", async () => {
    const held = Promise.withResolvers<Verdict>();
    const { post } = await serve({
      gateway: {
        execute: ({ request }) => (request.agent_id === "a" ? held.promise : Promise.resolve(ALLOW)),
      },
      maxInFlight: 10_000,
    });
    const body = JSON.stringify({ ...CALL, args: { t: "x".repeat(15 * 1024) } });
    const inFlight = Array.from({ length: 300 }, () => post(body));
    const answers = await Promise.race(inFlight.map((answer) => answer.then((refused) => [refused])));
    expect(answers[0]).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
    expect(answers[0]?.headers.get("retry-after")).toBe("1");
    expect((await post(JSON.stringify({ ...CALL, agent_id: "b" }))).status).toBe(200);
    held.resolve(ALLOW);
    const statuses = (await Promise.all(inFlight)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });

  it("forgets a large call that waits for its turn when its client leaves", async () => {
    const held = Promise.withResolvers<Verdict>();
    const { post, url, decided } = await serve({ gateway: { execute: () => held.promise } });
    const large = JSON.stringify({ args: { t: "x".repeat(100 * 1024) }, ...CALL });
    const inTurn = [post(large), post(large)];
    await vi.waitFor(() => expect(decided).toHaveBeenCalledTimes(2), CONDITION_MS);
    const gone = new AbortController();
    const headers = { "content-type": "application/json" };
    const leaves = fetch(url, { method: "POST", body: large, headers, signal: gone.signal });
    const waits = post(large);
    gone.abort();
    await expect(leaves).rejects.toThrow(/abort/);
    held.resolve(ALLOW);
    expect((await Promise.all([...inTurn, waits])).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(decided).toHaveBeenCalledTimes(3);
  });

  it("decides a large call as a small one", async () => {
    const { post, decided } = await serve({});
    const large = JSON.stringify({ args: { t: "x".repeat(100 * 1024) }, ...CALL });
    expect(await post(large)).toMatchObject({ status: 200, body: ALLOW });
    expect(decided.mock.calls[0]?.[0].request).toMatchObject({ agent_id: "a", tool: "t", content: {} });
    const malformed = await post(`${large}}`);
    expect(malformed).toMatchObject({ status: 400, body: { code: "malformed_json" } });
    const invalid = await post(JSON.stringify({ args: { t: "x".repeat(100 * 1024) }, agent_id: "a" }));
    expect(invalid).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });

  // proves OPS-40
  it("names the request in the answer once a line of the log has named it, and not before", async () => {
    const named: string[] = [];
    const { post } = await serve({
      gateway: {
        execute: async ({ requestId }) => {
          named.push(requestId.text, requestId.text);
          return ALLOW;
        },
      },
    });
    const { headers } = await post(JSON.stringify(CALL));
    expect(named).toEqual(Array(2).fill(headers.get("x-request-id")));
    expect(named[0]).toMatch(/^req_[0-9a-f]{32}$/);
    const quiet = await (await serve({})).post(JSON.stringify(CALL));
    expect(quiet.headers.get("x-request-id")).toBeNull();
  });

  // proves API-26
  it("names the request in every answer as its caller did", async () => {
    const { post } = await serve({});
    const named = { "x-request-id": "svc-q-0a-1" };
    for (const [body, status] of [[JSON.stringify(CALL), 200] as const, ["{", 400] as const]) {
      const answer = await post(body, named);
      expect([answer.status, answer.headers.get("x-request-id")]).toEqual([status, "svc-q-0a-1"]);
    }
  });

  it("E18: answers 409 when an Idempotency-Key comes with another body", async () => {
    const { post } = await serve({ gateway: { executeOnce: async () => null } });
    const answer = await post(JSON.stringify(CALL), { "idempotency-key": "k" });
    expect(answer).toMatchObject({ status: 409, body: { code: "idempotency_conflict" } });
  });
});

describe("gateway/outcome", () => {
  it.each([
    ["recorded", 200],
    ["repeated", 200],
    ["conflict", 409],
    ["not_found", 404],
    ["not_allowed", 409],
  ] as const)("answers %s with %i", async (kind, status) => {
    const { post } = await serve({ gateway: { reportOutcome: async () => ({ kind }) } });
    const answer = await post('{"decision_id":"gw.0","status":"succeeded"}', {}, "/outcome");
    expect(answer.status).toBe(status);
  });

  it("says that it does not know when the store fails, and that repeating is safe", async () => {
    const { post } = await serve({ gateway: { reportOutcome: () => Promise.reject(new Error("down")) } });
    const answer = await post('{"decision_id":"gw.0","status":"succeeded"}', {}, "/outcome");
    expect(answer).toMatchObject({ status: 503, body: { code: "unavailable" } });
  });
});
