// peers: openssl
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { OutboundDialer } from "@svc/outbound/outbound-dialer";
import { systemClock } from "@svc/process/clock";
import { issueCertificate, mayMissOpenssl } from "@svc/process/testing/certificates";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { readGithubFacts } from "./github-facts.ts";
import { sendToCollector } from "./otlp-logs.ts";
import { sendToSiem } from "./siem-http.ts";
import { sendToSyslog } from "./syslog-tls.ts";

const ROW = { logId: "gw", seq: 1, kind: "decision", timeMs: 0, severity: 2, line: '{"id":"gw.1"}' };
const BATCH = { rows: [ROW], signal: new AbortController().signal };

/** Starts a server, and what calls it under the name `receiver.example`. */
async function world(server: Server, authorities: readonly string[] = []) {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket.on("error", () => undefined)));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const dialer = new OutboundDialer({
    rules: { allow: [], allowPrivate: true },
    authorities,
    resolve: (_, __, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
  });
  onTestFinished(async () => {
    await dialer.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { parts: { dialer, clock: systemClock }, port, url: `http://receiver.example:${String(port)}/in` };
}

function answering(text: string): Server {
  return createServer((socket) => void socket.once("data", () => socket.write(text)));
}

const answerOf = (status: string, body: string): string =>
  `HTTP/1.1 ${status}\r\ncontent-length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`;

// proves INTG-12
describe("a receiver by HTTP", () => {
  it("that answers without an end is cut off", async () => {
    let written = 0;
    const server = createServer((socket) => {
      const flood = (): void => {
        while (!socket.destroyed && socket.write("x".repeat(64 * 1024))) written += 64 * 1024;
      };
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10737418240\r\n\r\n");
        socket.on("drain", flood);
        flood();
      });
    });
    const { parts, url } = await world(server);
    const outcome = await sendToSiem(parts, { url, authorization: null, pool: "" }, BATCH);
    expect(outcome).toMatchObject({ kind: "delivered", status: 200 });
    expect(outcome.answer).toHaveLength(1_024);
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  it("that answers a byte at a time has until the deadline", async () => {
    const server = createServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n");
      const timer = setInterval(() => socket.write("x"), 20);
      socket.on("close", () => clearInterval(timer));
    });
    const { parts, url } = await world(server);
    const dialer = {
      send: async (request: Parameters<OutboundDialer["send"]>[0]) => {
        expect(request.deadlineMs).toBe(30_000);
        return parts.dialer.send({ ...request, deadlineMs: 200 });
      },
      connect: () => expect.unreachable("no connection is made by hand"),
      secureContext: () => expect.unreachable("no context is needed"),
    };
    const target = { url, authorization: null, pool: "" };
    const outcome = await sendToSiem({ ...parts, dialer }, target, BATCH);
    expect(outcome).toMatchObject({ kind: "failed", fault: "no answer within 200 ms" });
  });

  it("that redirects is not followed", async () => {
    const location = "location: http://169.254.169.254/latest/meta-data\r\ncontent-length: 0";
    const { parts, url } = await world(answering(`HTTP/1.1 307 Moved\r\n${location}\r\n\r\n`));
    const outcome = await sendToSiem(parts, { url, authorization: "Bearer k", pool: "" }, BATCH);
    expect(outcome).toMatchObject({ kind: "failed", fault: "the receiver answered 307" });
  });
});

// proves INTG-03
describe("a collector", () => {
  it.each([
    ["refuses some", '{"partialSuccess":{"rejectedLogRecords":"7","errorMessage":"no"}}', 1],
    ["takes all", '{"partialSuccess":{}}', 0],
    ["says nothing", "", 0],
    ["answers another form", "<html>", 0],
    ["answers nonsense", '{"partialSuccess":{"rejectedLogRecords":-3}}', 0],
  ])("that %s is understood", async (_, body, refused) => {
    const { parts, url } = await world(answering(answerOf("200 OK", body)));
    const outcome = await sendToCollector(parts, { url, authorization: null, pool: "" }, BATCH);
    expect(outcome).toMatchObject({ kind: "delivered", refused });
  });
});

// proves INTG-08
describe("an API of repositories", () => {
  it.each([
    ["an answer without an end", `HTTP/1.1 200 OK\r\n\r\n{"a":"${"x".repeat(2_000_000)}`, "longer than"],
    ["no object", answerOf("200 OK", "[]"), "not a JSON object"],
    ["a refused token", answerOf("401 Unauthorized", "{}"), "the token is not valid"],
    ["a redirect", "HTTP/1.1 301 Moved\r\nlocation: http://x\r\ncontent-length: 0\r\n\r\n", "answered 301"],
  ])("gives no facts by %s", async (_, text, fault) => {
    const { parts, url } = await world(answering(text));
    const target = { url: url.replace("/in", ""), repository: "acme/agents", token: "t" };
    const reading = await readGithubFacts(parts.dialer, target);
    expect(reading).toMatchObject({ facts: null, fault: expect.stringContaining(fault) as string });
  });
});

// proves INTG-04, INTG-12
// skip: certificates are made with openssl
describe.skipIf(mayMissOpenssl)("a receiver of syslog", () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-syslog-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  async function sendTo(receive: (socket: TLSSocket) => void, { isTrusted = true, ms = 5_000 } = {}) {
    const issued = issueCertificate(folder, { name: "receiver", names: "DNS:receiver.example" });
    const certificate = readFileSync(issued.certificate, "utf8");
    const server = createTlsServer({ cert: certificate, key: readFileSync(issued.key) }, receive);
    server.on("tlsClientError", () => undefined);
    const { parts, port } = await world(server, isTrusted ? [certificate] : []);
    const signal = AbortSignal.timeout(ms);
    return sendToSyslog(parts, { host: "receiver.example", port }, { rows: [ROW], signal });
  }

  const early = "receiver.example closed the connection before it had read the batch";

  it("that reads to the end and closes has confirmed", async () => {
    const pieces: string[] = [];
    const outcome = await sendTo((socket) => {
      socket.setEncoding("utf8").on("data", (piece: string) => pieces.push(piece));
    });
    expect(outcome).toMatchObject({ kind: "delivered", fault: null });
    expect(pieces.join("")).toMatch(/^\d+ <109>1 1970-01-01T00:00:00.000Z \S+ svc - decision - \ufeff\{"id"/);
  });

  it.each<[string, (socket: TLSSocket) => void, string]>([
    ["closes at once", (socket) => void socket.end(), early],
    ["breaks off", (socket) => void socket.destroy(), early],
    ["breaks off after the batch", (socket) => void socket.once("data", () => socket.destroy()), early],
    ["talks", (socket) => void socket.resume().write("x".repeat(100_000)), "answers, which no receiver"],
  ])("that %s has not", async (_, receive, fault) => {
    const quiet = (socket: TLSSocket): void => receive(socket.on("error", () => undefined));
    const outcome = await sendTo(quiet);
    expect(outcome).toMatchObject({ kind: "failed", fault: expect.stringContaining(fault) as string });
  });

  it("that never closes has not, and is left at the deadline", async () => {
    const outcome = await sendTo((socket) => void socket.on("error", () => undefined).pause(), { ms: 600 });
    expect(outcome).toMatchObject({ kind: "failed", fault: expect.stringContaining("in time") as string });
  });

  it("whose certificate nobody trusts gets nothing", async () => {
    const received: Buffer[] = [];
    const outcome = await sendTo((socket) => void socket.on("data", (piece) => received.push(piece)), {
      isTrusted: false,
    });
    expect(outcome.kind).toBe("failed");
    expect(received).toEqual([]);
  });

  it("that does not speak TLS gets nothing", async () => {
    const { parts, port } = await world(answering("hello\n"));
    const outcome = await sendToSyslog(parts, { host: "receiver.example", port }, BATCH);
    expect(outcome.kind).toBe("failed");
  });
});
