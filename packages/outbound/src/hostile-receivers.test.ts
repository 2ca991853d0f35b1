// peers: openssl
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { type IssuedCertificate, issueCertificate, mayMissOpenssl } from "@svc/process/testing/certificates";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Resolve } from "./judging-lookup.ts";
import { OutboundDialer } from "./outbound-dialer.ts";

const PIECE = Buffer.alloc(64 * 1024, "x");
const HEAD = "HTTP/1.1 200 OK\r\n";

async function portOf(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket.on("error", () => undefined)));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A receiver that answers each connection in its own way, whatever the request is. */
async function receiver(answer: (socket: Socket) => void) {
  let ended = 0;
  const server = createServer((socket) => {
    socket.once("data", () => answer(socket));
    socket.once("close", () => (ended += 1));
  });
  return { port: await portOf(server), ended: () => ended };
}

function dialerFor(authorities: readonly string[] = [], resolve?: Resolve): OutboundDialer {
  const rules = { allow: [], allowPrivate: true };
  const dialer = new OutboundDialer({ rules, authorities, ...(resolve === undefined ? {} : { resolve }) });
  onTestFinished(() => dialer.close());
  return dialer;
}

const ASKED = { method: "POST", headers: {}, body: "{}", deadlineMs: CONDITION_MS, maxBytes: 1_024 };

const send = (port: number, deadlineMs = ASKED.deadlineMs) =>
  dialerFor().send({ ...ASKED, url: `http://127.0.0.1:${String(port)}/`, deadlineMs });

/** Writes for as long as somebody reads. */
function pour(socket: Socket, piece: Buffer | string): void {
  const write = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on("drain", write);
  write();
}

describe("a hostile receiver", () => {
  // proves OUT-07
  it("that sends 10 GiB is read up to the bound, and its connection ends", async () => {
    let written = 0;
    const { port, ended } = await receiver((socket) => {
      socket.on("close", () => (written = socket.bytesWritten));
      socket.write(`${HEAD}content-length: 10737418240\r\n\r\n`);
      pour(socket, PIECE);
    });
    const outcome = await send(port);
    expect(outcome).toMatchObject({ kind: "answer", isCut: true });
    expect(outcome.kind === "answer" ? outcome.body.length : 0).toBe(1_024);
    await expect.poll(ended, { timeout: CONDITION_MS }).toBe(1);
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  it.each([
    ["one byte at a time", `${HEAD}content-length: 1000\r\n\r\n`],
    ["a head without its end", HEAD],
    ["nothing", ""],
    ["chunks without an end", `${HEAD}transfer-encoding: chunked\r\n\r\n1\r\nx\r\n`],
  ])("that sends %s has until the deadline of the whole exchange", async (_, begin) => {
    const { port, ended } = await receiver((socket) => {
      socket.write(begin);
      const drip = setInterval(() => socket.write(begin.endsWith("\r\n\r\n") ? "x" : ""), 20);
      socket.on("close", () => clearInterval(drip));
    });
    expect(await send(port, 200)).toEqual({ kind: "failed", reason: "no answer within 200 ms" });
    await expect.poll(ended, { timeout: CONDITION_MS }).toBe(1);
  });

  it("that floods with informational answers is left after a few", async () => {
    const { port, ended } = await receiver((socket) =>
      pour(socket, "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100)),
    );
    expect(await send(port)).toEqual({ kind: "failed", reason: "more than 8 informational answers" });
    await expect.poll(ended, { timeout: CONDITION_MS }).toBe(1);
  });

  it.each([
    ["a head of 1 MiB", `${HEAD}x: ${"y".repeat(1_048_576)}\r\n\r\n`],
    ["no HTTP", "220 mail.example.com ESMTP\r\n"],
    ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["two lengths", `${HEAD}content-length: 1\r\ncontent-length: 2\r\n\r\nxx`],
    ["a length and chunks", `${HEAD}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["another protocol", "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"],
    ["half of what it announces", `${HEAD}content-length: 10\r\n\r\nhalf`],
  ])("that sends %s is a failure", async (_, bytes) => {
    const { port } = await receiver((socket) => socket.end(bytes));
    expect(await send(port)).toMatchObject({ kind: "failed" });
  });

  it("that answers a second time leaves nothing for the next request", async () => {
    let connections = 0;
    const { port } = await receiver((socket) => {
      connections += 1;
      const answer = (text: string): string => `${HEAD}content-length: ${String(text.length)}\r\n\r\n${text}`;
      socket.write(answer(`own ${String(connections)}`) + answer("smuggled"));
    });
    const dialer = dialerFor();
    const ask = () => dialer.send({ ...ASKED, url: `http://127.0.0.1:${String(port)}/` });
    for (const text of ["own 1", "own 2"]) {
      const outcome = await ask();
      expect(outcome.kind === "answer" ? String(outcome.body) : outcome).toBe(text);
    }
  });

  // proves OUT-03
  it("that redirects to metadata is answered with its redirect", async () => {
    const { port } = await receiver((socket) =>
      socket.end("HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n"),
    );
    expect(await send(port)).toMatchObject({ kind: "answer", status: 302 });
  });
});

// skip: a machine without openssl, which makes the certificates
describe.skipIf(mayMissOpenssl)("the certificate of a receiver", () => {
  let folder: string;
  const issued = new Map<string, IssuedCertificate>();
  const pem = (name: string): string => readFileSync(issued.get(name)?.certificate ?? "", "utf8");
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "svc-receivers-"));
    const names = "DNS:hooks.example";
    const authority = issueCertificate(folder, { name: "authority", names: "DNS:ca", isAuthority: true });
    issued.set("authority", authority);
    issued.set("good", issueCertificate(folder, { name: "good", names, by: authority }));
    issued.set("expired", issueCertificate(folder, { name: "expired", names, by: authority, days: -1 }));
    issued.set(
      "elsewhere",
      issueCertificate(folder, { name: "elsewhere", names: "DNS:x.example", by: authority }),
    );
    issued.set("self-signed", issueCertificate(folder, { name: "self-signed", names }));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function ask(
    name: string,
    options: { trusted?: boolean; maxVersion?: "TLSv1.1"; headers?: object } = {},
  ) {
    const { trusted = true, maxVersion } = options;
    const { certificate, key } = issued.get(name) ?? { certificate: "", key: "" };
    let requests = 0;
    const files = { cert: readFileSync(certificate), key: readFileSync(key) };
    const old =
      maxVersion === undefined ? {} : { maxVersion, minVersion: "TLSv1" as const, ciphers: "ALL@SECLEVEL=0" };
    const server = createTlsServer({ ...files, ...old }, (_, response) => {
      requests += 1;
      response.end("hello");
    });
    const port = await portOf(server);
    const resolve: Resolve = (_, __, done) => done(null, [{ address: "127.0.0.1", family: 4 }]);
    const dialer = dialerFor(trusted ? [pem("authority")] : [], resolve);
    const outcome = await dialer.send({ ...ASKED, url: `https://hooks.example:${String(port)}/` });
    return { outcome, requests };
  }

  // proves OUT-08
  it("is taken from an authority of the settings", async () => {
    expect(await ask("good")).toMatchObject({ outcome: { kind: "answer", status: 200 }, requests: 1 });
  });

  // proves OUT-08
  it.each([
    ["of an authority that nobody named", "good", { trusted: false }, /certificate/],
    ["that signed itself", "self-signed", {}, /^self-signed certificate; SVC_OUTBOUND_CA_FILE names/],
    ["that has expired", "expired", {}, /certificate has expired/],
    ["of another name", "elsewhere", {}, /does not match|altnames/],
    ["over TLS 1.1", "good", { maxVersion: "TLSv1.1" }, /protocol version|alert/i],
  ] as const)("%s is refused before anything is sent", async (_, name, options, reason) => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { outcome, requests } = await ask(name, options);
    expect(outcome).toEqual({ kind: "failed", reason: expect.stringMatching(reason) });
    expect(requests).toBe(0);
  });
});
