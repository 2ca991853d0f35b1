// peers: nginx, caddy, haproxy, traefik
// waits: until proxies give up
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
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
} from "../support/proxies/forward-auth-proxies.ts";
import { sendBytes, sendRaw } from "../support/requests/raw-http.ts";

/** What might stand where the adapter should be, and how it answers. Exactly one of them may pass. */
interface AdapterAnswer {
  readonly name: string;
  readonly passes?: true;
  /** An allow with another status of the 2xx kind, which the adapter never sends. */
  readonly isOtherAllow?: boolean;
  readonly respond: (response: ServerResponse) => void;
}

const ALLOW = { "x-svc-decision": "allow" };

function answerWith(status: number, headers: Record<string, string | string[]>): AdapterAnswer["respond"] {
  return (response) => {
    response.writeHead(status, headers).end();
  };
}

const REFUSED_WITH_ALLOW = [201, 202, 203, 204, 206, 300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404]
  .concat([407, 429, 500, 502, 503, 504])
  .map((status) => ({
    name: `${status} with X-Svc-Decision: allow`,
    isOtherAllow: status < 300,
    respond: answerWith(status, { ...ALLOW, location: "/orders" }),
  }));

const answers: readonly AdapterAnswer[] = [
  { name: "200 with X-Svc-Decision: allow", passes: true, respond: answerWith(200, ALLOW) },
  ...REFUSED_WITH_ALLOW,
  { name: "200 without X-Svc-Decision", respond: answerWith(200, {}) },
  { name: "200 with X-Svc-Decision: deny", respond: answerWith(200, { "x-svc-decision": "deny" }) },
  { name: "200 with X-Svc-Decision: pause", respond: answerWith(200, { "x-svc-decision": "pause" }) },
  { name: "200 with X-Svc-Decision: Allow", respond: answerWith(200, { "x-svc-decision": "Allow" }) },
  { name: "200 with X-Svc-Decision: allowed", respond: answerWith(200, { "x-svc-decision": "allowed" }) },
  {
    name: "F6: 200 allow that requires shaping",
    respond: answerWith(200, { ...ALLOW, "x-svc-shaping-required": "true" }),
  },
  {
    name: "200 with a JSON body that says allow",
    respond: (response) => void response.end('{"decision":"allow"}'),
  },
  { name: "a connection closed without an answer", respond: (response) => response.destroy() },
  { name: "an answer that is not HTTP", respond: (response) => void response.socket?.end("allow\r\n\r\n") },
  {
    name: "headers cut short",
    respond: (response) => void response.socket?.end("HTTP/1.1 200 OK\r\nX-Svc-Decision: allow\r\n"),
  },
  { name: "no answer at all", respond: () => {} },
];

// proves CHK-13
describe.each(forwardAuthProxies)("$name passes exactly the adapter's allow", (proxy: ForwardAuthProxy) => {
  const missing = proxy.missing();
  let adapter: RecordingServer;
  let backend: RecordingServer;
  let running: RunningProxy;

  beforeAll(async () => {
    if (missing !== null) return;
    adapter = await startRecordingServer((_, response) => response.writeHead(403).end());
    backend = await startRecordingServer(answerFromBackend);
    running = await proxy.start({ checkgwPort: adapter.port, backendPort: backend.port });
  });
  afterAll(async () => {
    await running?.stop();
    await adapter?.close();
    await backend?.close();
  });
  beforeEach(() => {
    adapter?.forget();
    backend?.forget();
  });

  it.for(answers)("$name", async (answer, { skip }) => {
    skip(missing !== null, missing ?? "");
    adapter.respondWith((_, response) => answer.respond(response));
    const response = await sendRaw(running.port, {
      method: "POST",
      target: "/refunds",
      body: '{"amount":1}',
    });
    if (answer.passes || (answer.isOtherAllow && !proxy.comparesStatus)) {
      expect(response).toMatchObject({ status: 200, body: BACKEND_BODY });
      expect(backend.requests.map(({ body }) => body)).toEqual(['{"amount":1}']);
    } else {
      if (proxy.comparesStatus) expect(response.status).toBe(403);
      else expect(response.status).toBeGreaterThanOrEqual(300);
      expect(backend.requests).toEqual([]);
    }
    // Go repeats a GET whose kept connection ends, and Traefik sets no key that makes the two one.
    if (proxy.setsHeadersPerRequest || answer.passes) expect(adapter.requests).toHaveLength(1);
  });

  // proves CHK-14
  it("the adapter is asked by its own address, whatever Host the client sends", async ({ skip }) => {
    skip(missing !== null, missing ?? "");
    adapter.respondWith((_, response) => answerWith(200, ALLOW)(response));
    const lines = ["GET /orders HTTP/1.1", "Host: evil.example", "Connection: close"];
    const response = await sendBytes(running.port, `${lines.join("\r\n")}\r\n\r\n`);
    expect(response.status).toBe(200);
    expect(adapter.requests.map(({ headers }) => headers.host)).toEqual([
      expect.stringMatching(/^127\.0\.0\.1(:\d+)?$/),
    ]);
  });

  it("an adapter that is down", async ({ skip }) => {
    skip(missing !== null, missing ?? "");
    await adapter.close();
    try {
      const response = await sendRaw(running.port, { method: "POST", target: "/refunds", body: "{}" });
      expect(response.status).toBe(proxy.unansweredStatus);
      expect(backend.requests).toEqual([]);
    } finally {
      await adapter.reopen();
    }
  });

  it("a backend that is down is not reported as a deny", async ({ skip }) => {
    skip(missing !== null, missing ?? "");
    adapter.respondWith((_, response) => answerWith(200, ALLOW)(response));
    await backend.close();
    try {
      const response = await sendRaw(running.port, { method: "GET", target: "/orders" });
      expect([502, 503]).toContain(response.status);
    } finally {
      await backend.reopen();
    }
  });
});
