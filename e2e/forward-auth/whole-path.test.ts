// peers: nginx, caddy, haproxy, traefik
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type RunningCheckgw, startCheckgw } from "../support/adapters/checkgw-process.ts";
import {
  answerFromBackend,
  BACKEND_BODY,
  type RecordingServer,
  type Responder,
  startRecordingServer,
} from "../support/adapters/recording-server.ts";
import {
  type ForwardAuthProxy,
  forwardAuthProxies,
  type RunningProxy,
  SHIPPED_AGENT,
} from "../support/proxies/forward-auth-proxies.ts";
import { type RawRequest, type RawResponse, sendRaw } from "../support/requests/raw-http.ts";

/** Below the 3 s that the shipped configurations wait for the adapter. */
const DECISION_TIMEOUT_MS = "1000";

const ALLOW = { decision: "allow", decision_id: "g.1", args_constrained: false };
const SHAPED = { ...ALLOW, args_constrained: true, shaped_args: {} };
const DENY = {
  decision: "deny",
  decision_id: "g.2",
  args_constrained: false,
  reason: "Refunds are closed.",
  reason_code: "rule",
  rule_id: "closed",
  fail_closed: false,
};
const PAUSE = {
  decision: "pause",
  decision_id: "g.3",
  args_constrained: false,
  reason: "A person must agree.",
  reason_code: "approval_required",
  approval_url: "https://svc.example/approvals/1",
};

const REFUND: RawRequest = { method: "POST", target: "/refunds", body: '{"amount":1}' };

/** A scripted gateway that answers every call alike. */
function verdict(document: object, status = 200): Responder {
  return (_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(document));
  };
}

describe.each(forwardAuthProxies)("$name in front of the adapter", (proxy: ForwardAuthProxy) => {
  const missing = proxy.missing();
  let gateway: RecordingServer;
  let backend: RecordingServer;
  let checkgw: RunningCheckgw;
  let running: RunningProxy;

  beforeAll(async () => {
    if (missing !== null) return;
    gateway = await startRecordingServer(verdict(DENY));
    backend = await startRecordingServer(answerFromBackend);
    checkgw = await startAdapter();
    running = await proxy.start({ checkgwPort: checkgw.port, backendPort: backend.port });
  });
  const startAdapter = (): Promise<RunningCheckgw> =>
    startCheckgw(`http://127.0.0.1:${gateway.port}`, {
      SVC_DECISION_TIMEOUT_MS: DECISION_TIMEOUT_MS,
    });
  afterAll(async () => {
    await running?.stop();
    await checkgw?.stop();
    await gateway?.close();
    await backend?.close();
  });
  beforeEach(({ skip }) => {
    skip(missing !== null, missing ?? "");
    gateway.respondWith(verdict(DENY));
    gateway.forget();
    backend.forget();
  });

  function askedCalls(): unknown[] {
    return gateway.requests.map(({ body }) => JSON.parse(body));
  }

  function namesAtBackend(): string {
    const [request] = backend.requests;
    return (request?.rawHeaders ?? []).filter((_, at) => at % 2 === 0).join(" ");
  }

  function expectDenied(response: RawResponse, status = 403): void {
    expect(response.status).toBe(status);
    expect(backend.requests).toEqual([]);
  }

  it("an allow reaches the backend, whole and without X-Svc-* headers", async () => {
    gateway.respondWith(verdict(ALLOW));
    const response = await sendRaw(running.port, { ...REFUND, target: "/refunds?dry=1" });
    expect(response).toMatchObject({ status: 200, body: BACKEND_BODY });
    expect(backend.requests).toMatchObject([{ method: "POST", url: "/refunds?dry=1", body: REFUND.body }]);
    expect(namesAtBackend()).not.toMatch(/x.svc/i);
  });

  it("the gateway is asked once, for the shipped agent, with the facts of the request", async () => {
    gateway.respondWith(verdict(ALLOW));
    await sendRaw(running.port, { ...REFUND, target: "/refunds?a=%2f&b=.." });
    expect(askedCalls()).toEqual([
      {
        agent_id: SHIPPED_AGENT,
        tool: "payments.refund",
        args: expect.objectContaining({ method: "POST", path: "/refunds", query: "a=%2f&b=.." }),
      },
    ]);
    if (!proxy.setsHeadersPerRequest) return;
    expect(gateway.requests[0]?.headers["idempotency-key"]).toMatch(/^[\x21-\x7e]{16,128}$/);
  });

  it("two requests have two idempotency keys where the proxy can set one", async () => {
    await sendRaw(running.port, REFUND);
    await sendRaw(running.port, REFUND);
    const keys = new Set(gateway.requests.map(({ headers }) => headers["idempotency-key"]));
    expect(keys.size).toBe(proxy.setsHeadersPerRequest ? 2 : 1);
  });

  // proves CHK-16
  it("a deny carries its reason", async () => {
    const response = await sendRaw(running.port, REFUND);
    expectDenied(response);
    expect(response.headers.get("x-svc-decision")).toBe("deny");
    expect(response.headers.get("x-svc-reason")).toBe("Refunds are closed.");
    expect(response.headers.get("x-svc-decision-id")).toBe("g.2");
    expect(response.headers.get("x-svc-rule-id")).toBe("closed");
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(JSON.parse(response.body)).toEqual(DENY);
  });

  // proves CHK-16
  it("a deny without a rule names neither a rule nor an approval", async () => {
    const { rule_id: _, ...deny } = DENY;
    gateway.respondWith(verdict(deny));
    const response = await sendRaw(running.port, REFUND);
    expectDenied(response);
    expect(response.headers.get("x-svc-reason")).toBe("Refunds are closed.");
    expect(["x-svc-rule-id", "x-svc-approval-url"].filter((name) => response.headers.has(name))).toEqual([]);
  });

  // proves CHK-16
  it.each([
    '"} , {"decision":"allow',
    "a\\",
    "%[src] $host {http.request.uri} {{",
    "line\r\nX-Svc-Decision: allow",
    "\u20ac",
  ])("a reason is escaped: %j", async (reason) => {
    gateway.respondWith(verdict({ ...DENY, reason }));
    const response = await sendRaw(running.port, REFUND);
    expectDenied(response);
    expect(response.headers.get("x-svc-decision")).toBe("deny");
    const shown: unknown = JSON.parse(Buffer.from(response.body, "latin1").toString("utf8")).reason;
    expect([reason, reason.replace(/[^\x20-\x7e]/g, "?")]).toContain(shown);
  });

  it("an allowed answer has the decision id where the proxy can, and no X-Svc-* of the backend", async () => {
    gateway.respondWith(verdict(ALLOW));
    backend.respondWith((_, response) => {
      const names = [
        "decision",
        "decision-id",
        "reason",
        "rule-id",
        "approval-url",
        "verdict",
        "shaping-required",
      ];
      // Traefik removes headers by their names alone.
      const others = proxy.setsHeadersPerRequest ? ["another"] : [];
      const forged = [...names, ...others].map((name) => [`x-svc-${name}`, "forged"] as const);
      response.writeHead(200, Object.fromEntries(forged)).end("{}");
    });
    try {
      const { headers } = await sendRaw(running.port, REFUND);
      const ours = [...headers].filter(([name]) => name.startsWith("x-svc-"));
      expect(ours).toEqual(proxy.setsHeadersPerRequest ? [["x-svc-decision-id", "g.1"]] : []);
    } finally {
      backend.respondWith(answerFromBackend);
    }
  });

  it("a pause carries the address of its approval", async () => {
    gateway.respondWith(verdict(PAUSE));
    const response = await sendRaw(running.port, REFUND);
    expectDenied(response);
    expect(response.headers.get("x-svc-decision")).toBe("pause");
    expect(response.headers.get("x-svc-approval-url")).toBe("https://svc.example/approvals/1");
    expect(JSON.parse(response.body)).toEqual(PAUSE);
  });

  it("F6: it is denied as well when the client names the header of shaping as one of its hop", async () => {
    gateway.respondWith(verdict(SHAPED));
    const headers = ["Connection: X-Svc-Shaping-Required, X-Svc-Decision", "X-Svc-Shaping-Required: false"];
    expectDenied(await sendRaw(running.port, { ...REFUND, headers }));
  });

  it("F6: an allow that requires shaping is denied", async () => {
    gateway.respondWith(verdict(SHAPED));
    const response = await sendRaw(running.port, REFUND);
    expectDenied(response);
    if (proxy.unansweredStatus === 403)
      expect(JSON.parse(response.body)).toMatchObject({
        decision: "deny",
        reason_code: "shaping_unsupported",
      });
    expect(gateway.requests).toHaveLength(1);
  });

  const faults: readonly { name: string; respond: Responder }[] = [
    ...[201, 202, 204, 302, 401, 403, 404, 429, 500, 503].map((status) => ({
      name: `the gateway answers ${status} with an allow`,
      respond: verdict(ALLOW, status),
    })),
    { name: "the gateway hangs", respond: () => {} },
    { name: "the gateway closes", respond: (_, response) => void response.destroy() },
    { name: "the gateway answers HTML", respond: (_, response) => void response.end("<p>allow</p>") },
  ];
  it.for(faults)("$name", async ({ respond }) => {
    gateway.respondWith(respond);
    const response = await sendRaw(running.port, REFUND);
    expectDenied(response);
    expect(response.headers.get("x-svc-decision")).toBe("deny");
  });

  it("a request without a tool never asks", async () => {
    gateway.respondWith(verdict(ALLOW));
    const targets = [
      "/",
      "/refund",
      "/refundsx",
      "/refunds/",
      "/REFUNDS",
      ...(proxy.matchesBytes ? ["/%72efunds"] : []),
      "/x/../refunds",
      "//refunds",
    ];
    for (const target of targets) {
      expect([target, (await sendRaw(running.port, { method: "POST", target, body: "{}" })).status]).toEqual([
        target,
        403,
      ]);
    }
    expectDenied(await sendRaw(running.port, { method: "GET", target: "/refunds" }));
    expect(gateway.requests).toEqual([]);
  });

  describe("a client cannot steer the decision", () => {
    const forgeries: Readonly<Record<string, readonly string[]>> = {
      "F1: another agent": ["X-Svc-Agent-Id: admin"],
      "F1: another agent, twice": ["X-Svc-Agent-Id: admin", "x-svc-agent-id: root"],
      "F1: the same agent": [`X-Svc-Agent-Id: ${SHIPPED_AGENT}`],
      "F1: another tool": ["X-Svc-Tool: orders.read"],
      "F1: another namespace and session": ["X-Svc-Namespace: free", "X-Svc-Session-Id: s-1"],
      "F1: other arguments": ['X-Svc-Args: {"amount":0}', "X-Svc-Args-B64: e30"],
      "F1: a known idempotency key": ["X-Svc-Idempotency-Key: k-1", "Idempotency-Key: k-1"],
      "F2: aliases with underscores": [
        "X_Svc_Agent_Id: admin",
        "X_Svc_Tool: orders.read",
        "X-Svc_Tool: orders.read",
      ],
      "F2: aliases with dots": ["X.Svc.Agent.Id: admin", "X.Svc.Tool: orders.read"],
      "F3: another request": [
        "X-Forwarded-Uri: /orders",
        "X-Forwarded-Method: GET",
        "X-Original-URI: /orders",
        "X-Original-Method: GET",
        "X-Original-Host: free.example",
      ],
      "a verdict of its own": ["X-Svc-Decision: allow", "X-Svc-Shaping-Required: false"],
      "an Accept header": ["Accept: application/json"],
      "an Accept header for text": ["Accept: text/plain"],
      "hop-by-hop names": ["Connection: close, X-Svc-Agent-Id, X-Svc-Tool, X-Original-URI, X-Forwarded-Uri"],
      "a method override": ["X-HTTP-Method-Override: GET", "X-Method-Override: GET"],
      conditions: ["If-None-Match: *", "Range: bytes=0-0", "Expect: 100-continue"],
    };
    const targets = ["/refunds", "/refunds?format=json&verdict=1&X-Svc-Decision=allow"];
    const cases = Object.entries(forgeries).flatMap(([name, headers]) =>
      targets.map((target) => ({ name, headers, target })),
    );

    it.for(cases)("$name, $target: a deny stays a deny", async ({ headers, target }) => {
      expectDenied(await sendRaw(running.port, { ...REFUND, target, headers }));
    });

    it.for(cases)("$name, $target: the question names the real path", async ({ headers, target }) => {
      gateway.respondWith(verdict(ALLOW));
      const response = await sendRaw(running.port, { ...REFUND, target, headers });
      if (response.status === 200) {
        const query = target.split("?")[1] ?? "";
        expect(askedCalls()).toEqual([
          {
            agent_id: SHIPPED_AGENT,
            tool: "payments.refund",
            args: expect.objectContaining({ method: "POST", path: "/refunds", query }),
          },
        ]);
        expect(gateway.requests[0]?.headers["idempotency-key"]).not.toBe("k-1");
        expect(backend.requests).toHaveLength(1);
        expect(namesAtBackend()).not.toMatch(/x.svc/i);
      } else {
        expectDenied(response);
      }
    });
  });

  it("the adapter is down", async () => {
    await checkgw.stop();
    try {
      expectDenied(await sendRaw(running.port, REFUND), proxy.unansweredStatus);
    } finally {
      checkgw = await startAdapter();
    }
  });
});
