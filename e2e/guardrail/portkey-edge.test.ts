// peers: nginx
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  answerFromBackend,
  BACKEND_BODY,
  type RecordingServer,
  startRecordingServer,
} from "../support/adapters/recording-server.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { type RawRequest, sendRaw } from "../support/requests/raw-http.ts";
import {
  type RunningGuardrailEdge,
  readShippedClient,
  startGuardrailEdge,
} from "./guardrail-edge-process.ts";
import { UNJUDGED_TARGETS } from "./unjudged-targets.ts";

const KEY = "0123456789abcdefABCDEF_-";
const CONFIG = '{"provider":"openai"}';
const AUTHORIZED = `Authorization: Bearer ${KEY}`;
const CHAT = "/v1/chat/completions";
const JUDGED = [CHAT, "/v1/completions", "/v1/embeddings", "/v1/messages"];
const MEBIBYTE = 1_048_576;

/** Longest wait in milliseconds for a piece of a stream: one that is held back never comes. */
const PIECE_TIMEOUT_MS = 10_000;

/** What a client may add, by what it hopes for. None of it reaches Portkey. */
const FORGERIES: Readonly<Record<string, readonly string[]>> = {
  "a configuration": ['x-portkey-config: {"provider":"openai","custom_host":"http://127.0.0.1:1/v1"}'],
  "one in another case": ["X-PORTKEY-CONFIG: {}", "X-Portkey-Config: {}"],
  "one with underscores": ["x_portkey_config: {}", "x-portkey_config: {}", "X_PORTKEY_CONFIG: {}"],
  "one with dots": ["x.portkey.config: {}"],
  "one twice": ["x-portkey-config: {}", "x-portkey-config: {}"],
  "one that names itself": ["Connection: x-portkey-config", "x-portkey-config: {}"],
  "an empty one": ["x-portkey-config:"],
  "another provider": ["x-portkey-provider: anthropic", "x-portkey-virtual-key: v"],
  "another host": ["x-portkey-custom-host: http://127.0.0.1:1/v1"],
  "guardrails of its own": [
    "x-portkey-default-input-guardrails: []",
    "x-portkey-default-output-guardrails: []",
  ],
  "headers for the provider": ["x-portkey-forward-headers: x-evil", "x-evil: 1", "openai-beta: b"],
  "metadata and traces": [
    'x-portkey-metadata: {"agent_id":"admin"}',
    "x-portkey-trace-id: t",
    "x-portkey-cache: simple",
  ],
  "another agent": ["X-Svc-Agent-Id: admin", "X-Svc-Namespace: root"],
  "another path": [
    "X-Original-URI: /v1/responses",
    "X-Rewrite-URL: /v1/responses",
    "X-HTTP-Method-Override: GET",
  ],
  "another protocol": ["Upgrade: websocket", "Connection: Upgrade"],
  "another body": ["Content-Type: multipart/form-data; boundary=b", "Content-Encoding: gzip"],
};

// skip: needs nginx, which the test runner installs where it can
describe.skipIf(missing.nginx)("the edge before Portkey", () => {
  let portkey: RecordingServer;
  let edge: RunningGuardrailEdge;
  beforeAll(async () => {
    portkey = await startRecordingServer(answerFromBackend);
    edge = await startGuardrailEdge({
      before: "portkey",
      gatewayPort: portkey.port,
      clients: [`"~^${KEY}$" '${CONFIG}';`],
    });
  });
  afterAll(async () => {
    await edge?.stop();
    await portkey?.close();
  });
  beforeEach(() => {
    portkey.respondWith(answerFromBackend);
    portkey.forget();
  });

  const ask = (request: Partial<RawRequest> = {}) =>
    sendRaw(edge.port, { method: "POST", target: CHAT, headers: [AUTHORIZED], body: "{}", ...request });

  /** What Portkey received, apart from the address of the request. */
  function headersAtPortkey(): object {
    const headers = Object.entries(portkey.requests[0]?.headers ?? {});
    return Object.fromEntries(headers.filter(([name]) => name !== "host"));
  }

  const OWN = { "content-length": "2", "content-type": "application/json", "x-portkey-config": CONFIG };

  it.each(JUDGED)("%s passes with the operator's configuration, and nothing else", async (target) => {
    expect(await ask({ target })).toMatchObject({ status: 200, body: BACKEND_BODY });
    expect(portkey.requests).toMatchObject([{ method: "POST", url: target, body: "{}" }]);
    expect(headersAtPortkey()).toEqual(OWN);
  });

  it.each([`${CHAT}?api-version=1`, `${CHAT}?`, `${CHAT}?x=/v1/responses`, `http://127.0.0.1${CHAT}`])(
    "F9: %s reaches Portkey as the judged path alone",
    async (target) => {
      expect((await ask({ target })).status).toBe(200);
      expect(portkey.requests).toMatchObject([{ url: CHAT }]);
    },
  );

  it.each([...UNJUDGED_TARGETS, "/v1/responses", "http://127.0.0.1/v1/responses"])(
    "F9: nothing of POST %j reaches Portkey",
    async (target) => {
      expect([400, 404]).toContain((await ask({ target })).status);
      expect(portkey.requests).toEqual([]);
    },
  );

  it.each(["GET", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "post", "BREW"])(
    "F9: nothing of %s reaches Portkey",
    async (method) => {
      for (const target of JUDGED) expect([400, 404, 405]).toContain((await ask({ method, target })).status);
      expect(portkey.requests).toEqual([]);
    },
  );

  it.each(Object.entries(FORGERIES))("F9: a client cannot send %s", async (_, forged) => {
    expect((await ask({ headers: [AUTHORIZED, ...forged] })).status).toBe(200);
    expect(headersAtPortkey()).toEqual(OWN);
  });

  it.each([
    ["two lengths", ["Content-Length: 0"]],
    ["a length and pieces", ["Transfer-Encoding: chunked"]],
    ["an unknown coding", ["Transfer-Encoding: xchunked"]],
    ["a fold", [" x-portkey-config: {}"]],
  ])("a request with %s hides no second one", async (_, headers) => {
    const second = `POST /v1/responses HTTP/1.1\r\nHost: x\r\n${AUTHORIZED}\r\nContent-Length: 0\r\n\r\n`;
    await ask({ headers: [AUTHORIZED, ...headers], body: `0\r\n\r\n${second}` });
    for (const { url, headers: passed } of portkey.requests) {
      expect(url).toBe(CHAT);
      expect(passed["x-portkey-config"]).toBe(CONFIG);
    }
  });

  describe("who may ask", () => {
    it.each([
      ["OpenAI's clients", `Authorization: Bearer ${KEY}`],
      ["Anthropic's clients", `x-api-key: ${KEY}`],
    ])("%s show their key, which ends here", async (_, header) => {
      expect((await ask({ headers: [header] })).status).toBe(200);
      expect(headersAtPortkey()).toEqual(OWN);
    });

    it.each([
      [],
      ["Authorization:"],
      ["Authorization: Bearer"],
      [`Authorization: Basic ${KEY}`],
      [`Authorization: ${KEY}`],
      [`Authorization: Bearer ${KEY} ${KEY}`],
      [`Authorization: Bearer ${KEY.toUpperCase()}`],
      [`Authorization: Bearer x${KEY}`],
      [`Authorization: Bearer ${KEY}x`],
      ["Authorization: Bearer wrong", "Authorization: Bearer worse"],
      ["x-api-key:"],
      ["x_api_key: 0123456789abcdefABCDEF_-"],
    ])("no other client: %s %s", async (...headers) => {
      expect([400, 401]).toContain((await ask({ headers })).status);
      expect(portkey.requests).toEqual([]);
    });

    it("not with the shipped key, which is public", async () => {
      const { key } = await readShippedClient();
      const shipped = await startGuardrailEdge({ before: "portkey", gatewayPort: portkey.port });
      try {
        const headers = [`Authorization: Bearer ${key}`];
        const { status } = await sendRaw(shipped.port, { method: "POST", target: CHAT, headers, body: "{}" });
        expect(status).toBe(401);
        expect(portkey.requests).toEqual([]);
      } finally {
        await shipped.stop();
      }
    });
  });

  describe("the session", () => {
    it("F1: is the only thing that a client may name", async () => {
      const headers = [AUTHORIZED, "X-Svc-Session-Id: s-9"];
      expect((await ask({ headers })).status).toBe(200);
      expect(headersAtPortkey()).toEqual({ ...OWN, "x-portkey-metadata": '{"session_id":"s-9"}' });
    });

    it.each(['s","agent_id":"admin', "s\\", "s 9", "ü", "s{}"])("F1: is a name: not %s", async (session) => {
      const headers = [AUTHORIZED, `X-Svc-Session-Id: ${session}`];
      expect((await ask({ headers })).status).toBe(400);
      expect(portkey.requests).toEqual([]);
    });
  });

  it("takes bodies as large as the webhook reads, and no larger ones", async () => {
    expect((await ask({ body: "x".repeat(MEBIBYTE) })).status).toBe(200);
    portkey.forget();
    expect((await ask({ body: "x".repeat(MEBIBYTE + 1) })).status).toBe(413);
    expect(portkey.requests).toEqual([]);
  });

  it.each([
    ["in chunks", true],
    ["until its end", false],
  ])("hands each piece of a stream %s on before the next one is there", async (_, isChunked) => {
    let writeNext: () => void = () => {};
    portkey.respondWith((__, response) => {
      response.useChunkedEncodingByDefault = isChunked;
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
      writeNext = () => void response.end("data: 2\n\n");
    });
    const response = await fetch(`http://127.0.0.1:${String(edge.port)}${CHAT}`, {
      method: "POST",
      headers: { authorization: `Bearer ${KEY}` },
      body: "{}",
      signal: AbortSignal.timeout(PIECE_TIMEOUT_MS),
    });
    const pieces = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect(await pieces?.read()).toEqual({ done: false, value: "data: 1\n\n" });
    writeNext();
    expect(await pieces?.read()).toEqual({ done: false, value: "data: 2\n\n" });
    expect((await pieces?.read())?.done).toBe(true);
  });

  it("a model's answer does not send it to another path", async () => {
    portkey.respondWith((_, response) => {
      const headers = { "x-accel-redirect": "/v1/responses", "content-length": BACKEND_BODY.length };
      response.writeHead(200, headers).end(BACKEND_BODY);
    });
    expect(await ask()).toMatchObject({ status: 200, body: BACKEND_BODY });
  });

  it("ships the configuration that Portkey is tested with, and a place for the provider's key", async () => {
    const { config } = await readShippedClient();
    const { api_key: key, ...rest } = JSON.parse(config) as Record<string, unknown>;
    expect(key).toBe("replace-with-the-provider-key");
    const shipped = await readFile(join(import.meta.dirname, "../../guardrails/portkey.json"), "utf8");
    expect(rest).toEqual(JSON.parse(shipped));
  });
});
