// long: it waits until the server ends three hundred slow clients
// waits: until the server gives up on slow bodies

import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { PROBLEMS } from "@svc/contract/problem";
import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { temporaryDirectory } from "../../support/processes/temporary-directory.ts";
import { hostileRequests, requestTo } from "../../support/requests/hostile-requests.ts";
import { steadyLoad } from "../../support/requests/load.ts";
import { sendBytes } from "../../support/requests/raw-http.ts";
import { BrokenAnswer, createPolicy, execute } from "../../support/server/api.ts";
import { allowedIds, checkedExport, withoutRow } from "../../support/server/audit-export.ts";
import { fetchWithKey, keyOf, makeKeys } from "../../support/server/role-keys.ts";
import { type ServerProcess, serverOfTest, startServer } from "../../support/server/server-process.ts";

const SLOW_CLIENTS = 300;

const LITERAL_POLICY = "id: literal\nagent_id: literal-agent\ntools: { allowed: [fs.read, kill] }\n";

let server: ServerProcess;
let key: string;
let slowClients: readonly Socket[];

beforeAll(async () => {
  server = await startServer({ env: { SVC_LOG_LEVEL: "trace" } });
  key = (await keyOf("agent", server.url)) ?? "";
  expect((await createPolicy(server.url)).status).toBe(201);
  expect((await createPolicy(server.url, LITERAL_POLICY)).status).toBe(201);
  // They dawdle while the other tests run.
  slowClients = Array.from({ length: SLOW_CLIENTS }, (_, index) => {
    const socket = connect(server.port, "127.0.0.1");
    socket.on("error", () => socket.destroy());
    const line = "POST /v1/gateway/execute HTTP/1.1";
    socket.write(`${line}\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n`);
    if (index % 2 === 0) socket.write("Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{");
    return socket.resume();
  });
});
afterAll(async () => {
  for (const socket of slowClients) socket.destroy();
  await server.stop();
});

const metric = async (name: string): Promise<number> => {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const line = text.split("\n").find((candidate) => candidate.startsWith(`${name} `));
  return Number(line?.split(" ")[1]);
};

// proves API-04, API-06, EXEC-12, EXEC-13, EXEC-14, EXEC-04, OPS-12
describe.each(["/v1", "/api/v1"])("%s/gateway/execute", (prefix) => {
  it.each(hostileRequests)("refuses, and goes on: $name", async (request) => {
    const refused = await sendBytes(server.port, requestTo(`${prefix}/gateway/execute`, request, key));
    expect(request.statuses).toContain(refused.status);
    expect(refused.headers.get("content-type")).toBe("application/problem+json");
    const problem = JSON.parse(refused.body) as Record<string, unknown>;
    expect(problem["status"]).toBe(refused.status);
    expect(Object.keys(PROBLEMS)).toContain(problem["code"]);
    expect((await execute(server.url)).body["decision"]).toBe("allow");
  });

  const accepted = [
    { name: "charset", headers: ['Content-Type: Application/JSON; charset="UTF-8"'] },
    { name: "100-continue", headers: ["Content-Type: application/json", "Expect: 100-continue"] },
    { name: "identity", headers: ["Content-Type: application/json", "Content-Encoding: identity"] },
  ];
  it.each(accepted)("accepts an unusual request: $name", async ({ headers }) => {
    const body = '{"agent_id":"agent-1","tool":"payments.refund"}';
    const lines = [
      `POST ${prefix}/gateway/execute HTTP/1.1`,
      "Host: localhost",
      "Connection: close",
      `Authorization: Bearer ${key}`,
      ...headers,
    ];
    const text = `${lines.join("\r\n")}\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}`;
    expect(JSON.parse((await sendBytes(server.port, text)).body)).toMatchObject({ decision: "allow" });
  });

  it("E5: counts a body that does not say its length", async () => {
    const lines = [
      `POST ${prefix}/gateway/execute HTTP/1.1`,
      "Host: localhost",
      `Authorization: Bearer ${key}`,
      "Content-Type: application/json",
    ];
    const chunk = `10000\r\n${"x".repeat(0x1_0000)}\r\n`;
    const text = `${lines.join("\r\n")}\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(5)}0\r\n\r\n`;
    expect((await sendBytes(server.port, text)).status).toBe(413);
  });
});

// proves EXEC-22, POL-08
it.each([
  "FS.READ",
  "Fs.read",
  "fs.read ",
  " fs.read",
  "fs.read.",
  "fs..read",
  ".fs.read",
  "fs.read/",
  "fs/read",
  "fs.re%61d",
  "%66s.read",
  "fs.read\\u0000",
  "fs.read\\n",
  "fs\\u200b.read",
  "fs\\u00adread",
  "fs.rea\\u0501",
  "f\\u0455.read",
  "\\ufb01le",
  "fs.read;x",
  "fs.read?x",
  "fs.read#x",
  "fs.read*",
  "fs.*",
  "*",
  "fs.r?ad",
  "\\u212Aill",
  "ki\\u217cl",
  "kill\\u0301",
  "fs.read\\u202e",
  "ﬀs.read",
  "ｆs.read",
  "fs.read@x",
  "fs.read:x",
])("E10: the tool name %j is not the one that is allowed", async (tool) => {
  const body = `{"agent_id":"literal-agent","tool":"${tool}"}`;
  const headers = { "content-type": "application/json" };
  const answer = await fetchWithKey(`${server.url}/v1/gateway/execute`, { method: "POST", headers, body });
  expect([200, 400]).toContain(answer.status);
  expect(((await answer.json()) as { decision?: string }).decision).not.toBe("allow");
});

// proves AUD-04, OPS-11
it("L6: secrets in arguments reach neither the export nor the log nor the files", async () => {
  const canaries = {
    note: "use AKIAZ7QWERTYUIOPASDF today",
    token: `ghp_${"Zq9".repeat(12)}`,
    key: `-----BEGIN PRIVATE KEY-----\n${"MIIEvQ".repeat(10)}\n-----END PRIVATE KEY-----`,
    jwt: `eyJhbGciOiJIUzI1NiJ9.${Buffer.from('{"canary":"jwt"}').toString("base64url")}.${"c4n4ry".repeat(7)}`,
    nested: [{ api_key: "canary-9f8e7d6c5b4a39281706f5e4d3c2b1a0" }],
    AKIAZ7NAMEOFMEMBER12: 1,
  };
  const secrets = ["AKIAZ7", "ghp_Zq9", "MIIEvQ", "c4n4ryc4n4ry", "canary-9f8e", "AKIAZ7NAME"];
  for (const tool of ["payments.refund", "db.drop"]) {
    const { body } = await execute(server.url, { tool, args: canaries });
    expect(body["decision"]).toBe(tool === "db.drop" ? "deny" : "allow");
  }
  const rows = JSON.stringify(await checkedExport(server.url));
  expect(rows).toContain("[masked:secret.aws_key]");
  const files = ["svc.db", "svc.db-wal"].map((name) => readFile(join(server.dataDir, name), "latin1"));
  const places = { rows, log: server.output(), files: (await Promise.all(files)).join("") };
  for (const [place, text] of Object.entries(places)) {
    expect([place, secrets.filter((secret) => text.includes(secret))]).toEqual([place, []]);
  }
});

it("E22, O2: slow clients are disconnected, and cost no memory", async () => {
  await vi.waitFor(() => expect(slowClients.filter((socket) => !socket.destroyed)).toEqual([]), {
    timeout: 25_000,
    interval: 200,
  });
  expect((await execute(server.url)).body["decision"]).toBe("allow");
  expect(await metric("process_resident_memory_bytes")).toBeLessThan(512 * 1024 * 1024);
}, 40_000);

// proves OPS-09, AUD-08, AUD-09
it("X1: at SIGTERM under load every answer is whole and has its row, and the last is signed", async () => {
  const dataDir = await temporaryDirectory();
  const stopping = await serverOfTest({ dataDir });
  expect((await createPolicy(stopping.url)).status).toBe(201);
  await makeKeys(stopping.url);
  const load = steadyLoad(stopping.url, 100, (index) => ({ session_id: `s-${String(index)}` }));
  await vi.waitFor(() => expect(load.answers.length).toBeGreaterThan(500), CONDITION_MS);
  expect(await stopping.stop("SIGTERM")).toBe(0);
  const answers = await load.stop();
  expect(load.failures.filter((failure) => failure instanceof BrokenAnswer)).toEqual([]);
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  const lines = (await readFile(join(dataDir, "checkpoints.ndjson"), "utf8")).trimEnd().split("\n");
  const { size } = JSON.parse(lines.at(-1) ?? "{}") as { size: number };
  const again = await serverOfTest({ dataDir });
  const rows = await checkedExport(again.url);
  expect(size).toBe(rows.length);
  expect(withoutRow(allowedIds(answers), rows)).toEqual([]);
});
