// peers: openssl, curl, nginx
// long: each test starts programs
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "@svc/process/free-port";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { startProcess } from "../support/processes/child-process.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { startAll } from "../support/processes/start-process.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { NGINX_DIRECTIVES } from "../support/proxies/nginx-directives.ts";

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
async function startOverTls(
  more: Readonly<Record<string, string>> = {},
  asks: "nobody" | "clients" = "nobody",
) {
  const { crt, key } = await certificateOfTest();
  const clients: Record<string, string> = asks === "clients" ? { SVC_TLS_CLIENT_CA_FILE: crt } : {};
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
    ...clients,
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
  return { running, env, crt, key, server, checkgw, curl };
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
    const { server, env, curl } = await startOverTls({}, "clients");
    expect(await curl(`${server}/healthz`)).toMatch(/curl: .*(certificate|alert|SSL)/i);
    expect(await runProgram(process.execPath, [HEALTH], env)).toMatchObject({ exitCode: 0 });
    expect(await runProgram(process.execPath, [HEALTH, "ready"], env)).toMatchObject({ exitCode: 1 });
  });

  // proves TLS-03
  // skip: a machine without nginx
  it.skipIf(missing.nginx)("nginx verifies the server, and shows it a certificate", async () => {
    const { server, crt, key } = await startOverTls({}, "clients");
    const folder = await temporaryDirectory();
    const port = await findFreePort();
    writeFileSync(join(folder, "nginx.conf"), nginxBefore(server, { folder, port, crt, key }));
    mkdirSync(join(folder, "temporary"));
    const args = ["-p", folder, "-e", "stderr", "-c", join(folder, "nginx.conf"), "-g", NGINX_DIRECTIVES];
    const nginx = await startProcess("nginx", args, { ready: { port } });
    onTestFinished(async () => void (await nginx.stop()));
    const statusAt = async (path: string) => (await fetch(`http://127.0.0.1:${String(port)}${path}`)).status;
    expect([await statusAt("/named/healthz"), await statusAt("/misnamed/healthz")]).toEqual([200, 502]);
  });
});

interface NginxFiles {
  readonly folder: string;
  readonly port: number;
  readonly crt: string;
  readonly key: string;
}

/** Two ways to one server: by a name in its certificate, and by another one. */
function nginxBefore(server: string, { folder, port, crt, key }: NginxFiles): string {
  const location = (path: string, name: string): string =>
    `location /${path}/ { proxy_pass ${server}/; proxy_ssl_name ${name}; }`;
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/temporary/${name};`)
    .join("\n");
  return `pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  ${temporary}
  server {
    listen 127.0.0.1:${String(port)};
    proxy_http_version 1.1;
    proxy_ssl_verify on;
    proxy_ssl_trusted_certificate ${crt};
    proxy_ssl_certificate ${crt};
    proxy_ssl_certificate_key ${key};
    ${location("named", "localhost")}
    ${location("misnamed", "svc.example")}
  }
}
`;
}
