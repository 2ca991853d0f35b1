// long: it sends every request of the API with and without each kind of key
import { createHash } from "node:crypto";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startCheckgw } from "../support/adapters/checkgw-process.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { sendBytes, sendRaw } from "../support/requests/raw-http.ts";
import { callOf, PAYMENTS_POLICY, send } from "../support/server/api.ts";
import { checkedExport } from "../support/server/audit-export.ts";
import {
  SERVER_ENTRY,
  type ServerProcess,
  serverOfTest,
  startServer,
} from "../support/server/server-process.ts";

const SECRET = "Zx9".repeat(20);
const KEY = `svc_operator1_${SECRET}`;
const ON = { SVC_AUTH: "on", SVC_BOOTSTRAP_API_KEY: KEY, SVC_LOG_LEVEL: "trace" };

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

/** Every route of the API, each with a request that a key holder may make. */
const ROUTES: readonly (readonly [method: string, path: string])[] = [
  ["POST", "gateway/execute"],
  ["POST", "gateway/outcome"],
  ["POST", "kill-switch"],
  ["GET", "kill-switch"],
  ["GET", "kill-switch/ks_1"],
  ["DELETE", "kill-switch/ks_1"],
  ["POST", "policies"],
  ["GET", "policies"],
  ["GET", "policies/p"],
  ["PUT", "policies/p"],
  ["GET", "policies/p/versions"],
  ["GET", "policies/p/versions/1"],
  ["POST", "policies/p/rollback"],
  ["POST", "policy-assignments"],
  ["GET", "policy-assignments"],
  ["DELETE", "policy-assignments/a"],
  ["GET", "audit/export"],
  ["GET", "audit/checkpoints"],
  ["GET", "audit/public-key"],
  ["GET", "no-such-route"],
];

const endpoints = ["/v1", "/api/v1"].flatMap((prefix) =>
  ROUTES.map(([method, path]) => ({ method, path: `${prefix}/${path}` })),
);

describe("with authentication on", () => {
  let server: ServerProcess;

  beforeAll(async () => {
    server = await startServer({ env: ON });
    const headers = { ...bearer(KEY), "content-type": "application/yaml" };
    const created = await send("POST", `${server.url}/v1/policies`, { body: PAYMENTS_POLICY, headers });
    expect(created.status).toBe(201);
  });
  afterAll(() => server.stop());

  // proves AUTH-01
  it.each(endpoints)("$method $path needs a key", async ({ method, path }) => {
    const body = method === "POST" || method === "PUT" ? "{}" : undefined;
    const refused = await send(method, `${server.url}${path}`, body === undefined ? {} : { body });
    expect([refused.status, refused.body["code"]]).toEqual([401, "unauthenticated"]);
  });

  // proves AUTH-02
  it.each(endpoints)("K3: $method $path keeps another organization out", async ({ method, path }) => {
    const headers = { ...bearer(KEY), "x-svc-org-id": "another" };
    const body = method === "POST" || method === "PUT" ? "{}" : undefined;
    const refused = await send(
      method,
      `${server.url}${path}`,
      body === undefined ? { headers } : { headers, body },
    );
    expect([refused.status, refused.body["code"]]).toEqual([403, "org_mismatch"]);
  });

  const digest = createHash("sha256").update(SECRET).digest("hex");
  const credentials: readonly {
    name: string;
    headers: readonly string[];
    target?: string;
    status?: number;
  }[] = [
    { name: "K2: the hash that is stored", headers: [`Authorization: Bearer svc_operator1_${digest}`] },
    { name: "K2: the key in the address", headers: [], target: `?api_key=${KEY}`, status: 404 },
    { name: "K2: the key in another header", headers: [`X-Api-Key: ${KEY}`, `Cookie: key=${KEY}`] },
    { name: "K1: a secret that starts well", headers: [`Authorization: Bearer ${KEY.slice(0, -1)}`] },
    { name: "K1: a secret that goes on", headers: [`Authorization: Bearer ${KEY}x`] },
    { name: "K1: another id", headers: [`Authorization: Bearer svc_operator2_${SECRET}`] },
    { name: "K1: the id alone", headers: ["Authorization: Bearer svc_operator1_"] },
    {
      name: "another scheme",
      headers: [`Authorization: Basic ${Buffer.from(`x:${KEY}`).toString("base64")}`],
    },
    { name: "no scheme", headers: [`Authorization: ${KEY}`] },
    { name: "a key and more", headers: [`Authorization: Bearer ${KEY}, Bearer x`] },
    { name: "an empty header", headers: ["Authorization:"] },
    { name: "M20: a word", headers: ["Authorization: Bearer anonymous"] },
    { name: "two keys", headers: [`Authorization: Bearer ${KEY}`, "Authorization: Bearer x"], status: 400 },
    { name: "upper case", headers: [`Authorization: Bearer ${KEY.toUpperCase()}`] },
  ];
  it.each(credentials)("refuses $name", async ({ headers, target = "", status = 401 }) => {
    const answer = await sendRaw(server.port, {
      method: "POST",
      target: `/v1/gateway/execute${target}`,
      headers: [...headers, "Content-Type: application/json"],
      body: JSON.stringify(callOf()),
    });
    expect([401, status]).toContain(answer.status);
  });

  it("accepts a valid key, whatever the case of the scheme, for the key's own organization", async () => {
    const call = { body: callOf(), headers: { authorization: `bearer ${KEY}`, "x-svc-org-id": "default" } };
    const answer = await send("POST", `${server.url}/v1/gateway/execute`, call);
    expect([answer.status, answer.body["decision"]]).toEqual([200, "allow"]);
    const rows = await checkedExport(server.url, bearer(KEY));
    expect(rows.at(-1)?.row).toMatchObject({ kind: "decision", principal: "operator1", org: "default" });
  });

  // proves AUTH-04, AUD-21, OPS-11
  it("K2: keeps the secret of the key out of its log and its files", async () => {
    await send("GET", `${server.url}/v1/policies`, { headers: bearer(KEY) });
    const rows = await checkedExport(server.url, bearer(KEY));
    expect(rows.filter(({ row }) => row["kind"] === "key").map(({ row }) => row["key_id"])).toEqual([
      "operator1",
    ]);
    const names = await readdir(server.dataDir);
    const files = names.map((name) => readFile(join(server.dataDir, name), "latin1"));
    expect(`${server.output()}${(await Promise.all(files)).join("")}`).not.toContain(SECRET);
  });

  // proves OPS-05, OPS-08
  it.each(["/healthz", "/readyz", "/version", "/metrics"])("%s asks for none", async (path) => {
    expect((await fetch(`${server.url}${path}`)).status).toBe(200);
  });

  // proves ADP-04
  it("svc-checkgw asks with its key, and with another key denies", async () => {
    const ask = async (key: string): Promise<number> => {
      const checkgw = await startCheckgw(server.url, { SVC_API_KEY: key });
      onTestFinished(async () => void (await checkgw.stop()));
      const headers = {
        "x-svc-agent-id": "agent-1",
        "x-svc-session-id": "s-1",
        "x-svc-tool": "payments.refund",
      };
      return (await fetch(`http://127.0.0.1:${String(checkgw.port)}/check`, { headers })).status;
    };
    expect([await ask(KEY), await ask(`${KEY}x`)]).toEqual([200, 403]);
  });
});

describe("the admin key", () => {
  const PRINTED = /svc_[a-z0-9]+_[A-Za-z0-9]{43,}/;
  const allowed = async (url: string, key: string): Promise<boolean> =>
    (await send("GET", `${url}/v1/policies`, { headers: bearer(key) })).status === 200;

  // proves AUTH-03
  it("is written by the first start to a file, printed nowhere, and stays valid", async () => {
    const dataDir = await temporaryDirectory();
    const first = await serverOfTest({ dataDir, env: { SVC_AUTH: "on" } });
    const file = join(dataDir, "admin-key");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const key = (await readFile(file, "utf8")).trim();
    expect(key).toMatch(PRINTED);
    expect(first.output()).not.toMatch(PRINTED);
    expect(first.output()).toContain(`admin key written to ${file}`);
    expect(await allowed(first.url, key)).toBe(true);
    await first.stop();
    const second = await serverOfTest({ dataDir, env: { SVC_AUTH: "on" } });
    expect(second.output()).not.toMatch(PRINTED);
    expect(await allowed(second.url, key)).toBe(true);
  });

  // proves AUTH-03, OPS-03
  it("comes from the environment or a file, and is never printed", async () => {
    const file = join(await temporaryDirectory(), "key");
    await writeFile(file, `${KEY}\n`);
    const server = await serverOfTest({ env: { SVC_AUTH: "on", SVC_BOOTSTRAP_API_KEY_FILE: file } });
    expect(server.output()).not.toMatch(PRINTED);
    expect(await allowed(server.url, KEY)).toBe(true);
  });

  // proves AUTH-10
  it("is replaced by another one in the environment, also after the variable is gone again", async () => {
    const dataDir = await temporaryDirectory();
    const rotated = `svc_operator2_${"Yw8".repeat(20)}`;
    for (const key of [KEY, rotated, null]) {
      const env = { SVC_AUTH: "on", ...(key === null ? {} : { SVC_BOOTSTRAP_API_KEY: key }) };
      const server = await serverOfTest({ dataDir, env });
      expect([await allowed(server.url, KEY), await allowed(server.url, rotated)]).toEqual([
        key === KEY,
        key !== KEY,
      ]);
      await server.stop();
    }
  });
});

describe("with authentication off", () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServer({ authentication: "off" });
  });
  afterAll(() => server.stop("SIGKILL"));

  // proves AUTH-06
  it.each([
    ["evil.example", 403],
    ["127.0.0.1.evil.example", 403],
    ["localhost.evil.example", 403],
    ["127.0.0.2", 403],
    ["0.0.0.0", 403],
    ["localhost", 200],
    ["LOCALHOST:1", 200],
    ["127.0.0.1:80", 200],
    ["[::1]:80", 200],
  ])("M12: Host %s is answered with %i", async (host, status) => {
    const lines = ["GET /v1/policies HTTP/1.1", `Host: ${host}`, "Connection: close"];
    expect((await sendBytes(server.port, `${lines.join("\r\n")}\r\n\r\n`)).status).toBe(status);
  });
});

// proves AUTH-05, OPS-02
it.each([
  { variable: "SVC_AUTH", env: { SVC_AUTH: "off", SVC_LISTEN: "0.0.0.0:0" } },
  { variable: "SVC_AUTH", env: { SVC_AUTH: "off", SVC_LISTEN: "[::]:0" } },
  { variable: "SVC_AUTH", env: { SVC_AUTH: "maybe" } },
  { variable: "SVC_LISTEN", env: { SVC_LISTEN: "127.0.0.1:70000" } },
  { variable: "SVC_BOOTSTRAP_API_KEY", env: { SVC_BOOTSTRAP_API_KEY: "hunter2" } },
  { variable: "SVC_DATABASE_URL", env: { SVC_DATABASE_URL: "mysql://localhost/x" } },
  { variable: "SVC_ROLE", env: { SVC_ROLE: "king" } },
  { variable: "SVC_GATEWAY_ID", env: { SVC_GATEWAY_ID: "a b" } },
  { variable: "SVC_PUBLIC_URL", env: { SVC_PUBLIC_URL: "ftp://x" } },
  { variable: "SVC_LOG_LEVEL", env: { SVC_LOG_LEVEL: "loud" } },
  { variable: "SVC_LOG_FORMAT", env: { SVC_LOG_FORMAT: "pretty" } },
])("$env refuses to start, naming $variable and showing no secret", async ({ variable, env }) => {
  const dataDir = await temporaryDirectory();
  const all = { SVC_LISTEN: "127.0.0.1:0", SVC_DATA_DIR: dataDir, ...env };
  const { exitCode, stderr } = await runProgram(process.execPath, [SERVER_ENTRY], all);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(variable);
  expect(stderr).toMatch(/expected/);
  expect(stderr).not.toContain("hunter2");
  expect(stderr).not.toMatch(/^ +at /m);
});
