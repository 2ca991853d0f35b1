// peers: openssl
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type ClientHttp2Session, connect } from "node:http2";
import { connect as connectSocket, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { ConnectionGate } from "@svc/http-edge/connections/connection-gate";
import { readTlsFiles } from "@svc/http-edge/tls/tls-files";
import { issueCertificate, mayMissOpenssl } from "@svc/process/testing/certificates";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startGrpcServer } from "../grpc-server.ts";
import type { ServedStream } from "../serve-stream.ts";
import { RenewableCredentials } from "./renewable-credentials.ts";

/** Connections of each kind that bring no certificate of ours. */
const FLOOD = 20;

const HEAD = {
  ":method": "POST",
  ":path": "/envoy.service.ext_proc.v3.ExternalProcessor/Process",
  "content-type": "application/grpc",
  te: "trailers",
};

let folder: string;
const at = (file: string): string => join(folder, file);
/** A certificate that an authority of the folder has signed, or itself. */
const issue = (name: string, authority: string | null): void =>
  void issueCertificate(folder, {
    name,
    names: `DNS:${name}`,
    ...(authority === null
      ? { isAuthority: true }
      : { by: { certificate: at(`${authority}.crt`), key: at(`${authority}.key`) } }),
  });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-guarded-"));
  if (mayMissOpenssl) return;
  for (const name of ["authority", "stranger"]) issue(name, null);
  for (const name of ["server", "proxy"]) issue(name, "authority");
  issue("intruder", "stranger");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function filesOf(name: string) {
  return readTlsFiles({
    prefix: "SVC_EXTPROC_TLS",
    certificate: at(`${name}.crt`),
    key: at(`${name}.key`),
    clientAuthorities: at("authority.crt"),
  });
}

/** A server that asks for certificates of clients, behind a gate with few places. */
async function start() {
  const gate = new ConnectionGate({ limits: { maxUnproven: 8, maxUnprovenPerAddress: 5, maxProven: 2 } });
  const credentials = new RenewableCredentials(filesOf("server"));
  let streams = 0;
  const nothing = (): void => undefined;
  const server = await startGrpcServer(
    { host: "127.0.0.1", port: 0, credentials, gate },
    (): ServedStream => {
      streams += 1;
      return {
        onMessage: nothing,
        onHalfClose: nothing,
        onCancelled: nothing,
        shutDown: nothing,
        owesVerdict: () => true,
      };
    },
  );
  closing.push(() => server.close(0));
  return { gate, port: server.port, streams: () => streams };
}

/** Keeps its end of a connection open for as long as the server does. */
async function hold(socket: Socket): Promise<void> {
  closing.push(() => socket.destroy());
  socket.on("error", () => undefined).resume();
  await Promise.race([once(socket, "connect"), once(socket, "close")]);
}

function proxySession(port: number): ClientHttp2Session {
  const { cert, key } = filesOf("proxy");
  const session = connect(`https://127.0.0.1:${String(port)}`, { cert, key, rejectUnauthorized: false });
  closing.push(() => session.destroy());
  return session.on("error", () => undefined);
}

const openStream = (session: ClientHttp2Session) => session.request(HEAD).on("error", () => undefined);

// skip: a machine without openssl, which makes the certificates
describe.skipIf(mayMissOpenssl)("a listener that asks clients for certificates", () => {
  // proves FAIR-20, FAIR-21
  it("counts who has none as unproven, and leaves the proxies their places", async () => {
    const { gate, port, streams } = await start();
    const proxy = proxySession(port);
    openStream(proxy);
    await expect.poll(streams).toBe(1);
    expect(gate.held).toEqual({ proven: 1, unproven: 0 });
    const intruder = { cert: filesOf("intruder").cert, key: filesOf("intruder").key };
    for (let n = 0; n < FLOOD; n += 1) {
      const to = { port, host: "127.0.0.1", localAddress: `127.0.0.${String(66 + (n % 4))}` };
      const tls = { ...to, rejectUnauthorized: false, ALPNProtocols: ["h2"] };
      await hold(connectTls(tls));
      await hold(connectTls({ ...tls, ...intruder }));
      await hold(connectSocket(to));
    }
    expect(gate.held.proven).toBe(1);
    expect(gate.held.unproven).toBeLessThanOrEqual(8);
    for (let n = 0; n < FLOOD; n += 1)
      await hold(connectSocket({ port, host: "127.0.0.1", localAddress: `127.0.0.${String(66 + (n % 4))}` }));
    expect(gate.closed.places).toBeGreaterThan(0);
    expect(gate.held).toEqual({ proven: 1, unproven: 8 });
    openStream(proxy);
    openStream(proxySession(port));
    await expect.poll(streams).toBe(3);
    expect(gate.held.proven).toBe(2);
    expect(proxy.closed).toBe(false);
  });

  // proves TLS-07
  it.each(["TLSv1.2", "TLSv1.3"] as const)("resumes no session of %s", async (maxVersion) => {
    const { port } = await start();
    const { cert, key } = filesOf("proxy");
    const to = { port, host: "127.0.0.1", ALPNProtocols: ["h2"], rejectUnauthorized: false, maxVersion };
    let session: Buffer | undefined;
    const first = connectTls({ ...to, cert, key }).on("session", (offered) => {
      session = offered;
    });
    closing.push(() => first.destroy());
    // The server speaks once its check of the certificate is over.
    await once(first, "data");
    const again = connectTls({ ...to, cert, key, session });
    closing.push(() => again.destroy());
    await once(again, "data");
    expect(again.isSessionReused()).toBe(false);
  });
});
