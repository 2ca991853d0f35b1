// peers: openssl, curl
// long: each test starts programs
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { findFreePort } from "../support/processes/free-port.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { startAll } from "../support/processes/start-process.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";

const HEALTH = join(import.meta.dirname, "../../docker/health.mjs");
const CALLER = ["-H", "X-Svc-Agent-Id: demo-agent", "-H", "X-Svc-Session-Id: s-1"];

/** A certificate that signed itself, for the names of this machine. */
async function certificateOfTest(): Promise<{ readonly crt: string; readonly key: string }> {
  const folder = await temporaryDirectory();
  const [crt, key] = [join(folder, "own.crt"), join(folder, "own.key")];
  const made = [
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-keyout",
    key,
    "-out",
    crt,
  ];
  const names = ["-subj", "/CN=svc", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  execFileSync("openssl", ["req", "-x509", "-days", "2", ...made, ...names], { stdio: "pipe" });
  return { crt, key };
}

/** Everything in one process, all of it over TLS. */
async function startOverTls(more: Readonly<Record<string, string>> = {}) {
  const { crt, key } = await certificateOfTest();
  const ports = { server: await findFreePort(), checkgw: await findFreePort() };
  const env = {
    SVC_DATA_DIR: await temporaryDirectory(),
    SVC_LISTEN: `127.0.0.1:${String(ports.server)}`,
    SVC_CHECKGW_LISTEN: `127.0.0.1:${String(ports.checkgw)}`,
    SVC_TLS_CERT_FILE: crt,
    SVC_TLS_KEY_FILE: key,
    SVC_CHECKGW_TLS_CERT_FILE: crt,
    SVC_CHECKGW_TLS_KEY_FILE: key,
    NODE_EXTRA_CA_CERTS: crt,
    ...more,
  };
  const running = await startAll(env);
  const server = `https://127.0.0.1:${String(ports.server)}`;
  const checkgw = `https://127.0.0.1:${String(ports.checkgw)}`;
  const curl = async (...args: string[]): Promise<string> => {
    const all = ["-sS", "--cacert", crt, "-o", "/dev/null", "-w", "%{http_code}", ...args];
    const { exitCode, stdout, stderr } = await runProgram("curl", all);
    return exitCode === 0 ? stdout : stderr;
  };
  return { running, env, crt, server, checkgw, curl };
}

// skip: a machine without openssl or curl
describe.skipIf(missing.openssl ?? missing.curl)("programs over TLS", () => {
  // proves TLS-01
  it("the server and an adapter serve over TLS, and the adapter verifies the gateway", async () => {
    const { running, server, checkgw, curl } = await startOverTls();
    expect(running.output()).toContain(server);
    expect(await curl(`${server}/healthz`)).toBe("200");
    expect(await curl("--http2", "--tls-max", "1.2", `${server}/readyz`)).toBe("200");
    expect(await curl(server.replace("https", "http"))).toMatch(/curl: /);
    const check = (tool: string) => curl(...CALLER, "-H", `X-Svc-Tool: ${tool}`, `${checkgw}/check`);
    expect([await check("crm.read"), await check("db.drop_table")]).toEqual(["200", "403"]);
  });

  it("an adapter that does not know the authority of the gateway denies", async () => {
    const { checkgw, curl } = await startOverTls({ NODE_EXTRA_CA_CERTS: "" });
    expect(await curl(...CALLER, "-H", "X-Svc-Tool: crm.read", `${checkgw}/check`)).toBe("403");
  });

  it("svc-cli and the health check of the image reach it", async () => {
    const { server, env, crt } = await startOverTls();
    const cli = (more: Readonly<Record<string, string>>) =>
      runProgram(process.execPath, [CLI_ENTRY, "status"], { SVC_URL: server, ...more });
    expect((await cli({ NODE_EXTRA_CA_CERTS: crt })).exitCode).toBe(0);
    const unknown = await cli({});
    expect(unknown.exitCode).not.toBe(0);
    expect(unknown.stderr).toContain("NODE_EXTRA_CA_CERTS");
    for (const args of [[], ["ready"]])
      expect(await runProgram(process.execPath, [HEALTH, ...args], env)).toMatchObject({ exitCode: 0 });
  });

  // proves TLS-03
  it("a server that asks for certificates is alive for the health check, and serves no other", async () => {
    const { crt } = await certificateOfTest();
    const { server, env, curl } = await startOverTls({ SVC_TLS_CLIENT_CA_FILE: crt });
    expect(await curl(`${server}/healthz`)).toMatch(/curl: .*(certificate|alert|SSL)/i);
    expect(await runProgram(process.execPath, [HEALTH], env)).toMatchObject({ exitCode: 0 });
    expect(await runProgram(process.execPath, [HEALTH, "ready"], env)).toMatchObject({ exitCode: 1 });
  });
});
