// peers: envoy, openssl
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type ExtprocStage, sendThrough, startStage } from "../support/adapters/extproc-stage.ts";
import { ALLOW, DENY, verdict } from "../support/adapters/gateway-verdicts.ts";
import { toolsCall } from "../support/adapters/tools-call.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "../support/processes/temporary-directory.ts";
import type { ConfigurationChange } from "../support/proxies/envoy-process.ts";

const README = join(import.meta.dirname, "..", "..", "envoy", "README.md");

/** More resets than Node's own limit lets one connection have. */
const REQUESTS = 1_500;
const AT_ONCE = 16;

let folder: TemporaryDirectory;
const at = (name: string): string => join(folder.path, name);

/** A key and a certificate with a DNS name, signed by an authority, or self-signed. */
function issue(name: string, dnsName: string, authority: string | null): void {
  const by = authority === null ? [] : ["-CA", at(`${authority}.crt`), "-CAkey", at(`${authority}.key`)];
  const key = [
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-keyout",
    at(`${name}.key`),
  ];
  const subject = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${dnsName}`];
  execFileSync(
    "openssl",
    ["req", "-x509", ...by, ...key, "-out", at(`${name}.crt`), "-days", "2", ...subject],
    {
      stdio: "pipe",
    },
  );
}

/** The lines of the README for the cluster of the processor, with the files of this test. */
function documentedLines(client: string): string {
  const [, lines = ""] =
    /```yaml\n( {6}transport_socket:\n[^]*?)```/.exec(readFileSync(README, "utf8")) ?? [];
  expect(lines).not.toBe("");
  return lines.replaceAll("/etc/envoy/proxy.", at(`${client}.`)).replaceAll("/etc/envoy", folder.path);
}

function toCluster(lines: string): ConfigurationChange {
  const cluster = "    - name: svc_extproc\n      type: STATIC\n";
  return [cluster, cluster + lines];
}

function serveWith(server: string): Readonly<Record<string, string>> {
  return {
    SVC_EXTPROC_TLS_CERT_FILE: at(`${server}.crt`),
    SVC_EXTPROC_TLS_KEY_FILE: at(`${server}.key`),
    SVC_EXTPROC_TLS_CLIENT_CA_FILE: at("authority.crt"),
  };
}

// proves XPR-14
// skip: a machine without Envoy or openssl; the runner says why there is none
describe.skipIf(missing.envoy || missing.openssl)("F1: mutual TLS between Envoy and the processor", () => {
  beforeAll(async () => {
    folder = await makeTemporaryDirectory();
    issue("authority", "authority", null);
    issue("stranger", "stranger", null);
    issue("server", "svc-extproc", "authority");
    issue("elsewhere", "elsewhere", "authority");
    issue("impostor", "svc-extproc", "stranger");
    issue("proxy", "proxy", "authority");
    issue("intruder", "proxy", "stranger");
  });
  afterAll(() => folder?.remove());

  async function stageWith(server: string, lines: string): Promise<ExtprocStage> {
    const stage = await startStage({ changes: [toCluster(lines)], env: serveWith(server) });
    onTestFinished(() => stage.close());
    stage.gateway.respondWith(verdict(ALLOW));
    return stage;
  }

  it("the lines of the README: the same verdicts, for more requests than resets are allowed", async () => {
    const stage = await stageWith("server", documentedLines("proxy"));
    expect(stage.extproc.lines.join("\n")).toContain('"security":"mutual"');
    const statuses = new Set<number>();
    const send = async (): Promise<void> => {
      for (let sent = 0; sent < REQUESTS / AT_ONCE; sent += 1) {
        statuses.add((await sendThrough(stage.envoy, "/mcp", { body: toolsCall({}) })).status);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, send));
    expect([...statuses]).toEqual([200]);
    stage.gateway.respondWith(verdict(DENY));
    stage.backend.forget();
    expect((await sendThrough(stage.envoy, "/mcp", { body: toolsCall({}) })).status).toBe(403);
    expect(stage.backend.seen).toEqual([]);
  });

  const refused: readonly (readonly [name: string, server: string, lines: () => string])[] = [
    [
      "Envoy has no certificate",
      "server",
      () => documentedLines("proxy").replace(/ +tls_certificates:\n.*\n.*\n/, ""),
    ],
    ["Envoy has a certificate of another authority", "server", () => documentedLines("intruder")],
    ["Envoy speaks plaintext", "server", () => ""],
    ["the processor has a certificate of another authority", "impostor", () => documentedLines("proxy")],
    ["the processor has a certificate of another name", "elsewhere", () => documentedLines("proxy")],
  ];
  it.each(refused)("%s: 500, no question and no request", async (_, server, lines) => {
    const stage = await stageWith(server, lines());
    expect((await sendThrough(stage.envoy, "/mcp", { body: toolsCall({}) })).status).toBe(500);
    expect(stage.asked()).toEqual([]);
    expect(stage.backend.seen).toEqual([]);
  });
});
