// peers: nginx, caddy, haproxy, traefik
// waits: until proxies give up
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type RunningCheckgw, startCheckgw } from "../support/adapters/checkgw-process.ts";
import { ALLOW, verdict } from "../support/adapters/gateway-verdicts.ts";
import {
  answerFromBackend,
  type RecordingServer,
  type Responder,
  startRecordingServer,
} from "../support/adapters/recording-server.ts";
import {
  type ForwardAuthProxy,
  forwardAuthProxies,
  type RunningProxy,
} from "../support/proxies/forward-auth-proxies.ts";
import { type RawResponse, sendRaw } from "../support/requests/raw-http.ts";

/** Asks svc-checkgw at another path than the proxy meant, as a hook that is pointed there would. */
function askingAt(path: string, port: () => number): Responder {
  return ({ method, headers }, response) => {
    const asked = httpRequest({ host: "127.0.0.1", port: port(), path, method, headers, agent: false });
    asked.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    asked.on("error", () => response.destroy());
    asked.end();
  };
}

describe.each(forwardAuthProxies)("$name with a gateway that allows", (proxy: ForwardAuthProxy) => {
  const missing = proxy.missing();
  let gateway: RecordingServer;
  let backend: RecordingServer;
  let hook: RecordingServer;
  let checkgw: RunningCheckgw;
  let running: RunningProxy;

  beforeAll(async () => {
    if (missing !== null) return;
    gateway = await startRecordingServer(verdict(ALLOW));
    backend = await startRecordingServer(answerFromBackend);
    checkgw = await startCheckgw(`http://127.0.0.1:${String(gateway.port)}`);
    hook = await startRecordingServer(askingAt("/check", () => checkgw.port));
    running = await proxy.start({ checkgwPort: hook.port, backendPort: backend.port });
  });
  afterAll(async () => {
    await running?.stop();
    await hook?.close();
    await checkgw?.stop("SIGKILL");
    await gateway?.close();
    await backend?.close();
  });
  beforeEach(({ skip }) => {
    skip(missing !== null, missing ?? "");
    backend.forget();
    hook.forget();
  });

  const refund = (): Promise<RawResponse> =>
    sendRaw(running.port, { method: "POST", target: "/refunds", body: '{"amount":1}' });

  // proves CHK-08, CHK-13
  it.each([
    { path: "/check", status: 200 },
    { path: "/verdict", status: 403 },
    { path: "/healthz", status: 403 },
    { path: "/checks", status: 403 },
  ])("F4: a hook pointed at $path ends in $status", async ({ path, status }) => {
    hook.respondWith(askingAt(path, () => checkgw.port));
    const answer = await refund();
    if (status === 200 || proxy.comparesStatus) expect(answer.status).toBe(status);
    else expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(hook.requests).toHaveLength(1);
    expect(backend.requests).toHaveLength(status === 200 ? 1 : 0);
  });

  // proves CHK-11
  it("I10: an adapter that hangs, then is killed in the middle of the question", async () => {
    hook.respondWith(askingAt("/check", () => checkgw.port));
    checkgw.signal("SIGSTOP");
    const startedMs = performance.now();
    expect((await refund()).status).toBe(proxy.unansweredStatus);
    const tookMs = performance.now() - startedMs;
    expect(tookMs).toBeGreaterThan(proxy.timeoutMs / 2);
    const pending = refund();
    await expect.poll(() => hook.requests.length, { timeout: proxy.timeoutMs }).toBe(2);
    await checkgw.stop("SIGKILL");
    expect((await pending).status).toBe(proxy.unansweredStatus);
    expect(backend.requests).toEqual([]);
  });
});
