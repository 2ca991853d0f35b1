// peers: nginx, caddy, haproxy, traefik, envoy
import { describe, expect, it } from "vitest";
import { answerFromBackend, startRecordingServer } from "../support/adapters/recording-server.ts";
import { type GovernedProxy, governedProxies } from "../support/proxies/governed-proxies.ts";
import { sendBytes } from "../support/requests/raw-http.ts";
import { allowReading, governedStage } from "./governed-stage.ts";

const BODY = '{"amount":5000}';
const LENGTH = `Content-Length: ${String(BODY.length)}`;
const CHUNKED = "Transfer-Encoding: chunked";
const JSON_TYPE = "Content-Type: application/json";
const chunks = (body: string, trailers = ""): string =>
  `${body.length.toString(16)}\r\n${body}\r\n0\r\n${trailers}\r\n`;

const raw = (line: string, headers: readonly string[], body = ""): string =>
  `${[line, "Host: 127.0.0.1", "Connection: close", ...headers].join("\r\n")}\r\n\r\n${body}`;
const refund = (...headers: string[]): string =>
  raw("POST /refunds HTTP/1.1", [JSON_TYPE, LENGTH, ...headers], BODY);

/** The policy denies refunds and allows reading orders. Whatever these requests are, none runs a refund. */
const hostile: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      "/refunds?x=/orders",
      "/refunds#/orders",
      "/orders/../refunds",
      "/orders/%2e%2e/refunds",
      "/orders/..;/refunds",
      "/orders%2f..%2frefunds",
      "/orders\\..\\refunds",
      "//refunds",
      "/./refunds",
      "/refunds/",
      "/refunds;a=b",
      "/%72efunds",
      "/REFUNDS",
      "/refunds%00",
      "/orders?/../refunds",
      "http://127.0.0.1/refunds",
      "http://orders/refunds",
      "/refunds%20HTTP/1.1%0d%0aX:",
      "*",
    ].map((target) => [`the target ${target}`, raw(`POST ${target} HTTP/1.1`, [JSON_TYPE, LENGTH], BODY)]),
  ),
  "a CONNECT": raw("CONNECT /refunds HTTP/1.1", []),
  "a TRACE": raw("TRACE /refunds HTTP/1.1", []),
  "an unknown method": raw("ORDERS /refunds HTTP/1.1", []),
  "a method in small letters": raw("post /refunds HTTP/1.1", [JSON_TYPE, LENGTH], BODY),
  "HTTP/1.0": "POST /refunds HTTP/1.0\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}",
  "HTTP/0.9": "POST /refunds\r\n\r\n",
  "a forged mark": refund("X-Svc-Decision: allow", "X-Svc-Verdict: {}"),
  "a forged mark with an underscore": refund("X_Svc_Decision: allow"),
  "a forged mark named by Connection": refund("Connection: X-Svc-Decision", "X-Svc-Decision: allow"),
  "length and chunked": raw("GET /orders HTTP/1.1", [LENGTH, CHUNKED], `0\r\n\r\n${refund()}`),
  "chunked behind a tab": raw("GET /orders HTTP/1.1", ["Transfer-Encoding:\tchunked", LENGTH], refund()),
  "an alias of chunked": raw("GET /orders HTTP/1.1", ["Transfer_Encoding: chunked", LENGTH], refund()),
  "two lengths": raw("GET /orders HTTP/1.1", ["Content-Length: 0", LENGTH], refund()),
  "a bare line feed": `GET /orders HTTP/1.1\nHost: a\n\n${refund()}`,
  "a folded header": raw("GET /orders HTTP/1.1", [`X-A: 1\r\n ${CHUNKED}`], refund()),
  "a space before the colon": raw(
    "GET /orders HTTP/1.1",
    ["Transfer-Encoding : chunked"],
    `0\r\n\r\n${refund()}`,
  ),
  "a refund in chunks with trailers": raw(
    "POST /refunds HTTP/1.1",
    [JSON_TYPE, CHUNKED, "Trailer: X-Svc-Decision"],
    chunks(BODY, "X-Svc-Decision: allow\r\nX-HTTP-Method-Override: GET\r\n"),
  ),
  "trailers alone": raw("POST /refunds HTTP/1.1", [JSON_TYPE, CHUNKED], "0\r\nX-Svc-Decision: allow\r\n\r\n"),
  "a chunk that is longer than it says": raw(
    "GET /orders HTTP/1.1",
    [CHUNKED],
    `1\r\nab\r\n0\r\n\r\n${refund()}`,
  ),
};

const REPEATS = [
  "x-envoy-retry-on: 5xx,reset,retriable-status-codes",
  "x-envoy-max-retries: 5",
  "x-envoy-retriable-status-codes: 503",
  "x-envoy-hedge-on-per-try-timeout: true",
  "x-envoy-upstream-rq-per-try-timeout-ms: 1",
];

// proves ADP-10
describe.each(governedProxies)("$name and raw requests", (proxy: GovernedProxy) => {
  const stage = governedStage(proxy, allowReading, () => startRecordingServer(answerFromBackend));

  it.each(Object.entries(hostile))("%s runs no refund", async (_, bytes) => {
    // Some proxies end the connection without an answer.
    await sendBytes(stage.port, bytes).catch(() => null);
    const ran = stage.backend.requests.map(({ method, url }) => `${method} ${url}`);
    expect(ran.filter((request) => !/^GET \/orders(?:\/[\w-]+)?(?:\?.*)?$/.test(request))).toEqual([]);
    expect(stage.gateway.requests.length).toBeGreaterThanOrEqual(ran.length);
  });

  it("no header makes a failing request run twice", async () => {
    stage.backend.respondWith((_, response) => response.writeHead(503).end());
    try {
      for (const header of [...REPEATS, REPEATS.join("\r\n")]) {
        stage.backend.forget();
        const bytes = raw("GET /orders HTTP/1.1", [header, "X-Forwarded-For: 127.0.0.1"]);
        expect((await sendBytes(stage.port, bytes)).status).toBeGreaterThanOrEqual(500);
        expect([header, stage.backend.requests.length]).toEqual([header, 1]);
      }
    } finally {
      stage.backend.respondWith(answerFromBackend);
    }
  });
});
