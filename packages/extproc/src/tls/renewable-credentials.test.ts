// peers: openssl

import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type PeerCertificate } from "node:tls";
import type { ServerCredentials } from "@grpc/grpc-js";
import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { readTlsFiles, type TlsFiles, type TlsPaths, tlsPathsOf } from "@svc/http-edge/tls/tls-files";
import { watchTlsFiles } from "@svc/http-edge/tls/watch-tls-files";
import { issueCertificate, mayMissOpenssl } from "@svc/process/testing/certificates";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startGrpcServer } from "../grpc-server.ts";
import { openSecurity, warnOfUnknownClients } from "./open-security.ts";
import { RenewableCredentials } from "./renewable-credentials.ts";

let folder: string;
const at = (name: string): string => join(folder, name);

/** A certificate that an authority of the folder has signed, or itself. */
const issue = (name: string, authority: string | null, days = 2): void =>
  void issueCertificate(folder, {
    name,
    days,
    names: `DNS:${name}`,
    ...(authority === null
      ? { isAuthority: true }
      : { by: { certificate: at(`${authority}.crt`), key: at(`${authority}.key`) } }),
  });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-tls-"));
  if (mayMissOpenssl) return;
  issue("authority", null);
  issue("stranger", null);
  issue("server", "authority");
  issue("renewed", "authority");
  issue("proxy", "authority");
  issue("intruder", "stranger");
  issue("expired", "authority", -1);
  writeFileSync(at("garbage.pem"), "no certificate");
  writeFileSync(at("empty.pem"), "");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function pathsOf(name: string, clientAuthority: string | null = null): TlsPaths {
  return {
    prefix: "SVC_EXTPROC_TLS",
    certificate: at(`${name}.crt`),
    key: at(`${name}.key`),
    clientAuthorities: clientAuthority === null ? null : at(`${clientAuthority}.crt`),
  };
}

async function listen(credentials: ServerCredentials): Promise<number> {
  const open = (): never => {
    throw new Error("no stream is opened here");
  };
  const server = await startGrpcServer({ host: "127.0.0.1", port: 0, credentials }, open);
  closing.push(() => server.close(0));
  return server.port;
}

/** The certificate that a client meets; rejects when the server does not let it speak. */
function meet(port: number, client: string | null): Promise<PeerCertificate> {
  return new Promise((resolve, reject) => {
    const own =
      client === null
        ? {}
        : { cert: readTlsFiles(pathsOf(client)).cert, key: readTlsFiles(pathsOf(client)).key };
    const socket = connect({
      port,
      host: "127.0.0.1",
      rejectUnauthorized: false,
      ALPNProtocols: ["h2"],
      ...own,
    });
    closing.push(() => socket.destroy());
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("closed")));
    // The server speaks first; before its certificate check is over it says nothing.
    socket.on("data", () => resolve(socket.getPeerCertificate()));
  });
}

// skip: a machine without openssl, which makes the certificates
describe.skipIf(mayMissOpenssl)("certificates of the adapter", () => {
  it("without authorities of clients everybody may speak, over TLS", async () => {
    const port = await listen(new RenewableCredentials(readTlsFiles(pathsOf("server"))));
    expect((await meet(port, null)).subject.CN).toBe("server");
  });

  it("F1: with them only who has a certificate of theirs", async () => {
    const port = await listen(new RenewableCredentials(readTlsFiles(pathsOf("server", "authority"))));
    expect((await meet(port, "proxy")).subject.CN).toBe("server");
    await expect(meet(port, null)).rejects.toThrow();
    await expect(meet(port, "intruder")).rejects.toThrow();
  });

  it("F1: a client in plaintext is not served", async () => {
    const port = await listen(new RenewableCredentials(readTlsFiles(pathsOf("server", "authority"))));
    await expect(fetch(`http://127.0.0.1:${String(port)}/`)).rejects.toThrow();
  });

  describe("when its files change", () => {
    const onRenewed = vi.fn();
    const onFault = vi.fn();
    let port: number;
    beforeEach(async () => {
      onRenewed.mockClear();
      onFault.mockClear();
      copyFileSync(at("server.crt"), at("current.crt"));
      copyFileSync(at("server.key"), at("current.key"));
      const paths = pathsOf("current", "authority");
      const files = readTlsFiles(paths);
      const credentials = new RenewableCredentials(files);
      const renew = (renewed: TlsFiles): void => {
        credentials.renew(renewed);
        onRenewed(renewed);
      };
      closing.push(watchTlsFiles({ paths, files, renew, onFault, intervalMs: 5 }));
      port = await listen(credentials);
    });

    it("half of a renewal changes nothing, all of it serves", async () => {
      copyFileSync(at("renewed.crt"), at("current.crt"));
      await vi.waitFor(() => expect(onFault).toHaveBeenCalled(), CONDITION_MS);
      expect(onFault.mock.calls).toEqual([
        [expect.objectContaining({ message: expect.stringMatching(/TLS_KEY_FILE.*found another/) })],
      ]);
      expect((await meet(port, "proxy")).subject.CN).toBe("server");
      copyFileSync(at("renewed.key"), at("current.key"));
      await vi.waitFor(() => expect(onRenewed).toHaveBeenCalledOnce(), CONDITION_MS);
      expect((await meet(port, "proxy")).subject.CN).toBe("renewed");
    });

    // proves TLS-08
    it("a renewal that has expired changes nothing", async () => {
      copyFileSync(at("expired.crt"), at("current.crt"));
      copyFileSync(at("expired.key"), at("current.key"));
      const fault = /TLS_CERT_FILE .*valid now, found one that is so until/;
      const call = [expect.objectContaining({ message: expect.stringMatching(fault) })];
      await vi.waitFor(() => expect(onFault.mock.calls).toContainEqual(call), CONDITION_MS);
      expect(onRenewed).not.toHaveBeenCalled();
      expect((await meet(port, "proxy")).subject.CN).toBe("server");
    });

    it("F1: a renewal still asks clients for their certificates", async () => {
      copyFileSync(at("renewed.crt"), at("current.crt"));
      copyFileSync(at("renewed.key"), at("current.key"));
      await vi.waitFor(() => expect(onRenewed).toHaveBeenCalledOnce(), CONDITION_MS);
      await expect(meet(port, null)).rejects.toThrow();
      await expect(meet(port, "intruder")).rejects.toThrow();
    });
  });
});

// skip: a machine without openssl, which makes the certificates
describe.skipIf(mayMissOpenssl)("what stops the start", () => {
  const faults: readonly (readonly [name: string, paths: () => TlsPaths, message: RegExp])[] = [
    ["no certificate", () => pathsOf("none"), /SVC_EXTPROC_TLS_CERT_FILE .*none\.crt.*ENOENT/],
    [
      "no PEM",
      () => ({ ...pathsOf("server"), certificate: at("garbage.pem") }),
      /TLS_CERT_FILE .*garbage.*PEM/,
    ],
    ["no key", () => ({ ...pathsOf("server"), key: at("garbage.pem") }), /TLS_KEY_FILE .*garbage.*PEM/],
    ["another key", () => ({ ...pathsOf("server"), key: at("proxy.key") }), /TLS_KEY_FILE .*found another/],
    [
      "no authority",
      () => ({ ...pathsOf("server"), clientAuthorities: at("empty.pem") }),
      /TLS_CLIENT_CA_FILE .*PEM/,
    ],
  ];
  it.each(faults)("%s", (_, paths, message) => {
    expect(() => readTlsFiles(paths())).toThrow(message);
  });

  // proves TLS-08
  it("a certificate of another time", () => {
    const paths = pathsOf("server");
    expect(() => readTlsFiles(pathsOf("expired"))).toThrow(/CERT_FILE .*valid now, found .* until /);
    expect(() => readTlsFiles(paths, new Date(0))).toThrow(/CERT_FILE .*valid now, found .* from .* on\./);
    expect(readTlsFiles(paths).cert).toEqual(readTlsFiles(paths, new Date()).cert);
  });

  const NONE = {
    SVC_EXTPROC_TLS_CERT_FILE: null,
    SVC_EXTPROC_TLS_KEY_FILE: null,
    SVC_EXTPROC_TLS_CLIENT_CA_FILE: null,
  };
  it.each([
    ["a certificate without its key", { SVC_EXTPROC_TLS_CERT_FILE: "a" }, /SVC_EXTPROC_TLS_KEY_FILE/],
    ["a key without its certificate", { SVC_EXTPROC_TLS_KEY_FILE: "a" }, /SVC_EXTPROC_TLS_CERT_FILE/],
    ["authorities alone", { SVC_EXTPROC_TLS_CLIENT_CA_FILE: "a" }, /SVC_EXTPROC_TLS_CERT_FILE/],
  ])("%s", (_, set, message) => {
    expect(() => tlsPathsOf({ ...NONE, ...set }, "SVC_EXTPROC_TLS")).toThrow(message);
  });

  it("nothing set is plaintext", () => {
    expect(tlsPathsOf(NONE, "SVC_EXTPROC_TLS")).toBeNull();
    expect(openSecurity(NONE, { info: vi.fn(), warn: vi.fn(), error: vi.fn() }).kind).toBe("plaintext");
  });
});

describe("the warning of a listener that others reach", () => {
  it.each([
    ["0.0.0.0", "plaintext", 1],
    ["0.0.0.0", "tls", 1],
    ["0.0.0.0", "mutual", 0],
    ["127.0.0.1", "plaintext", 0],
    ["::1", "plaintext", 0],
    ["localhost", "plaintext", 0],
    ["127.example.com", "plaintext", 1],
  ] as const)("F1: %s, %s: %i", (host, kind, count) => {
    const logger = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    warnOfUnknownClients(host, kind, logger);
    expect(logger.warn).toHaveBeenCalledTimes(count);
  });
});
