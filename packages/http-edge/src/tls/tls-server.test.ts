// peers: openssl, curl
import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:https";
import { connect as connectPlain } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";
import { promisify } from "node:util";
import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { issueCertificate, mayMissOpenssl } from "@svc/process/testing/certificates";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ConnectionGate } from "../connections/connection-gate.ts";
import { type Edge, startEdge } from "../testing/edge.ts";
import { readToEnd } from "../testing/raw-exchange.ts";
import type { ListenerTls } from "./listener-tls.ts";
import { readTlsFiles } from "./tls-files.ts";
import type { HandshakeFault } from "./tls-server.ts";
import { watchTlsFiles } from "./watch-tls-files.ts";

const GET = "GET /a HTTP/1.1\r\nHost: svc\r\n\r\n";
const LAST = "GET /a HTTP/1.1\r\nHost: svc\r\nConnection: close\r\n\r\n";
const POLL = { timeout: CONDITION_MS };

let folder: string;
const at = (name: string): string => join(folder, name);
const pem = (name: string): Buffer => readFileSync(at(name));

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-edge-tls-"));
  if (mayMissOpenssl) return;
  const names = "DNS:localhost,IP:127.0.0.1";
  const authority = issueCertificate(folder, { name: "authority", names, isAuthority: true });
  const stranger = issueCertificate(folder, { name: "stranger", names, isAuthority: true });
  for (const name of ["server", "renewed", "client"])
    issueCertificate(folder, { name, names, by: authority });
  issueCertificate(folder, { name: "intruder", names, by: stranger });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface TlsEdge extends Edge {
  readonly faults: HandshakeFault[];
  readonly gate: ConnectionGate;
}

/** A listener with a certificate that is read again all the time. */
async function start(options: { mutual?: boolean; name?: string; handshakeTimeoutMs?: number } = {}) {
  const { mutual = false, name = "server", handshakeTimeoutMs } = options;
  const paths = {
    prefix: "SVC_TLS",
    certificate: at(`${name}.crt`),
    key: at(`${name}.key`),
    clientAuthorities: mutual ? at("authority.crt") : null,
  };
  const files = readTlsFiles(paths);
  const follow: ListenerTls["follow"] = (renew) =>
    watchTlsFiles({ paths, files, renew, onFault: () => undefined, intervalMs: 5 });
  const faults: HandshakeFault[] = [];
  const gate = new ConnectionGate({ limits: { maxUnproven: 6, maxUnprovenPerAddress: 6, maxProven: 3 } });
  const edge = await startEdge({
    gate,
    tls: {
      tls: { kind: mutual ? "mutual" : "tls", files, follow },
      onHandshakeFault: (fault) => faults.push(fault),
      ...(handshakeTimeoutMs === undefined ? {} : { handshakeTimeoutMs }),
    },
  });
  closing.push(() => edge.close(0));
  return { ...edge, faults, gate } satisfies TlsEdge;
}

function open(port: number, options: ConnectionOptions = {}): TLSSocket {
  const socket = connect({ port, host: "127.0.0.1", ca: pem("authority.crt"), ...options });
  closing.push(() => socket.destroy());
  return socket.on("error", () => undefined);
}

async function ask(port: number, options: ConnectionOptions = {}, bytes = LAST): Promise<readonly number[]> {
  const socket = open(port, options);
  socket.write(bytes);
  return (await readToEnd(socket)).statuses;
}

/** One request, and what a client could resume of its connection; no session: the server offered none. */
async function sessionOf(port: number, options: ConnectionOptions) {
  const socket = open(port, options);
  let session: Buffer | undefined;
  socket.on("session", (offered) => {
    session = offered;
  });
  await once(socket, "secureConnect");
  const isReused = socket.isSessionReused();
  socket.write(LAST);
  const { statuses } = await readToEnd(socket);
  return { session, isReused, statuses };
}

/** The second connection of a client that resumes its first one if it can. */
async function resumed(port: number, options: ConnectionOptions) {
  const { session } = await sessionOf(port, options);
  const { isReused, statuses } = await sessionOf(port, { ...options, session });
  return { isReused, statuses };
}

const own = (name: string) => ({ cert: pem(`${name}.crt`), key: pem(`${name}.key`) });

// skip: a machine without openssl, which makes the certificates
describe.skipIf(mayMissOpenssl)("a listener with a certificate", () => {
  // proves TLS-01
  it.each<readonly [string, ConnectionOptions]>([
    ["TLS 1.3", { minVersion: "TLSv1.3" }],
    ["TLS 1.2", { maxVersion: "TLSv1.2" }],
    ["a name", { servername: "localhost" }],
    [
      "another name that the client does not check",
      { servername: "x.example", checkServerIdentity: () => undefined },
    ],
    ["http/1.1 behind h2", { ALPNProtocols: ["h2", "http/1.1"] }],
  ])("serves a client with %s", async (_, options) => {
    const edge = await start();
    expect(edge.url).toBe(`https://127.0.0.1:${String(edge.port)}`);
    expect(await ask(edge.port, options)).toEqual([200]);
    expect([edge.faults, edge.handled]).toEqual([[], ["GET /a"]]);
  });

  // proves TLS-02
  it.each<readonly [string, string, ConnectionOptions]>([
    ["TLS 1.1", "authority", { maxVersion: "TLSv1.1", minVersion: "TLSv1", ciphers: "ALL@SECLEVEL=0" }],
    ["h2 alone", "authority", { ALPNProtocols: ["h2"] }],
    ["another authority", "stranger", {}],
  ])("does not serve a client with %s", async (_, authority, options) => {
    const edge = await start();
    const ca = pem(`${authority}.crt`);
    expect(await ask(edge.port, { ...options, ca })).toEqual([]);
    expect(edge.handled).toEqual([]);
    await expect.poll(() => edge.faults.length, POLL).toBe(1);
  });

  it("closes plain HTTP without an answer, and reports it", async () => {
    const edge = await start();
    const socket = connectPlain(edge.port, "127.0.0.1");
    socket.write(LAST);
    expect(await readToEnd(socket)).toEqual({ statuses: [], text: "" });
    expect(edge.faults).toMatchObject([{ peer: "127.0.0.1", error: { code: "ERR_SSL_HTTP_REQUEST" } }]);
    expect([edge.handled, edge.refused, edge.errors]).toEqual([[], [], []]);
  });

  // proves TLS-02
  it("renegotiates with nobody", async () => {
    const edge = await start();
    const socket = open(edge.port, { maxVersion: "TLSv1.2" });
    await once(socket, "secureConnect");
    const ended = once(socket, "close");
    socket.renegotiate({}, () => undefined);
    await expect(ended).rejects.toThrow(/no renegotiation/);
    expect(edge.handled).toEqual([]);
  });

  // proves TLS-03
  it("serves clients with a certificate of the authorities alone, where they are named", async () => {
    const edge = await start({ mutual: true });
    expect(await ask(edge.port, own("client"))).toEqual([200]);
    expect(await ask(edge.port)).toEqual([]);
    expect(await ask(edge.port, own("intruder"))).toEqual([]);
    expect(await ask(edge.port, { ...own("intruder"), maxVersion: "TLSv1.2" })).toEqual([]);
    expect(edge.handled).toEqual(["GET /a"]);
  });

  // proves TLS-07
  it.each(["TLSv1.2", "TLSv1.3"] as const)(
    "resumes no session of %s where it asks for certificates",
    async (maxVersion) => {
      const asksNobody = await start();
      expect((await resumed(asksNobody.port, { maxVersion })).isReused).toBe(true);
      const edge = await start({ mutual: true });
      const again = await resumed(edge.port, { maxVersion, ...own("client") });
      expect(again).toEqual({ isReused: false, statuses: [200] });
      const { session } = await sessionOf(edge.port, { maxVersion, ...own("client") });
      expect(await ask(edge.port, { maxVersion, session })).toEqual([]);
    },
  );

  it("reads requests as plain HTTP has them, pipelined ones in their order", async () => {
    const edge = await start();
    expect(await ask(edge.port, {}, GET.repeat(3) + LAST)).toEqual([200, 200, 200, 200]);
    const lengths = "Content-Length: 3\r\nTransfer-Encoding: chunked";
    const smuggled = `POST /a HTTP/1.1\r\nHost: svc\r\n${lengths}\r\n\r\n0\r\n\r\n`;
    expect(await ask(edge.port, {}, smuggled + LAST)).toEqual([400]);
    expect(edge.handled).toHaveLength(4);
  });

  // proves TLS-04
  it("gives a handshake a deadline, counts it as unproven, and closes it at its own end", async () => {
    const edge = await start({ handshakeTimeoutMs: 100 });
    const half = connectPlain(edge.port, "127.0.0.1").on("error", () => undefined);
    await expect.poll(() => edge.gate.held, POLL).toEqual({ proven: 0, unproven: 1 });
    await once(half.resume(), "close");
    expect(edge.faults).toMatchObject([{ error: { code: "ERR_TLS_HANDSHAKE_TIMEOUT" } }]);
    const patient = await start();
    const hung = connectPlain(patient.port, "127.0.0.1").on("error", () => undefined);
    await expect.poll(() => patient.gate.held.unproven, POLL).toBe(1);
    await patient.close(60_000);
    await once(hung.resume(), "close");
  });

  // proves TLS-04
  it("keeps the place of a client whose requests were whole under a flood of handshakes", async () => {
    const edge = await start();
    const kept = open(edge.port);
    kept.write(GET);
    await once(kept, "data");
    expect(edge.gate.held).toEqual({ proven: 1, unproven: 0 });
    kept.write(GET);
    await once(kept, "data");
    expect(edge.gate.held).toEqual({ proven: 1, unproven: 0 });
    for (let n = 0; n < 20; n += 1) {
      const socket = connectPlain(edge.port, "127.0.0.1").on("error", () => undefined);
      closing.push(() => socket.destroy());
      await once(socket, "connect");
    }
    await expect.poll(() => edge.gate.closed.address + edge.gate.closed.places, POLL).toBe(14);
    kept.write(LAST);
    expect((await readToEnd(kept)).statuses).toEqual([200]);
    await expect.poll(() => edge.gate.held.proven, POLL).toBe(0);
  });

  // proves TLS-05
  it("takes a renewed certificate into use under load, without a failed request", async () => {
    for (const end of ["crt", "key"]) copyFileSync(at(`server.${end}`), at(`current.${end}`));
    const { port } = await start({ name: "current" });
    const kept = open(port);
    kept.write(GET);
    await once(kept, "data");
    const names: string[] = [];
    let isOver = false;
    const load = Array.from({ length: 4 }, async () => {
      while (!isOver) names.push(await nameAt(port));
    });
    await expect.poll(() => names.length, POLL).toBeGreaterThan(8);
    copyFileSync(at("renewed.crt"), at("current.crt"));
    const before = names.length;
    await expect.poll(() => names.length, POLL).toBeGreaterThan(before + 8);
    copyFileSync(at("renewed.key"), at("current.key"));
    await expect.poll(() => names.at(-1), POLL).toBe("renewed");
    isOver = true;
    await Promise.all(load);
    expect(new Set(names)).toEqual(new Set(["server", "renewed"]));
    expect(names.slice(0, before)).not.toContain("renewed");
    kept.write(LAST);
    expect((await readToEnd(kept)).statuses).toEqual([200]);
  });

  // skip: a machine without curl
  it.skipIf(spawnSync("curl", ["--version"]).status !== 0)("serves curl", async () => {
    const { url } = await start({ mutual: true });
    const curl = (...args: string[]) =>
      promisify(execFile)("curl", ["-sS", "--cacert", at("authority.crt"), ...args, `${url}/a`]);
    const certificate = ["--cert", at("client.crt"), "--key", at("client.key")];
    const { stdout } = await curl("--http2", "-w", " %{http_version} %{ssl_verify_result}", ...certificate);
    expect(stdout).toBe('{"size":0} 1.1 0');
    await expect(curl()).rejects.toThrow(/certificate required|SSL|alert/i);
    await expect(curl("--tls-max", "1.1", ...certificate)).rejects.toThrow();
  });
});

/** The name in the certificate that a request meets. Rejects when it is not answered. */
function nameAt(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: "127.0.0.1", ca: pem("authority.crt"), agent: false }, (response) => {
      const { subject } = (response.socket as TLSSocket).getPeerCertificate();
      response.resume().once("end", () => resolve(String(subject.CN)));
    });
    asked.once("error", reject).end();
  });
}
