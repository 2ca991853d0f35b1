// long: it starts servers
// peers: python3

import { once } from "node:events";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { WEBHOOK_TYPES } from "@svc/contract/webhook-event";
import { findFreePort } from "@svc/process/free-port";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { withCliKey } from "../support/cli/cli-key.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { type RunningProcess, startProcess } from "../support/processes/child-process.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { makeTemporaryDirectory } from "../support/processes/temporary-directory.ts";
import { execute } from "../support/server/api.ts";
import { type ServerProcess, serverOfTest, startServer } from "../support/server/server-process.ts";

const ROOT = join(import.meta.dirname, "..", "..");

const TIMEOUT_MS = 60_000;
const WITHIN_MS = 20_000;

interface Received {
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

async function until<Value>(look: () => Value | undefined): Promise<Value> {
  const deadlineMs = performance.now() + WITHIN_MS;
  for (;;) {
    const value = look();
    if (value !== undefined) return value;
    if (performance.now() > deadlineMs) throw new Error("it did not become true in time");
    await delay(25);
  }
}

/** A receiver that keeps what came, and answers with the next status. */
async function receiverOfTest(...statuses: readonly number[]) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { headers } = request;
      received.push({ body: Buffer.concat(chunks).toString(), headers });
      response.writeHead(statuses[received.length - 1] ?? 204, { location: "/elsewhere" }).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${String(port)}/hooks`;
  const at = (index: number): Promise<Received> => until(() => received[index]);
  return { url, received, at };
}

async function setUp(server: Pick<ServerProcess, "url">) {
  const { path: cwd, remove } = await makeTemporaryDirectory();
  onTestFinished(remove);
  const env = { XDG_CONFIG_HOME: join(cwd, "config"), SVC_URL: server.url };
  const cli = (...args: readonly string[]) => runCli(args, env, { cwd });
  const listen = async (
    ...args: readonly string[]
  ): Promise<RunningProcess & { readonly secret: string }> => {
    const child = await startProcess(process.execPath, [CLI_ENTRY, "listen", "-o", "ndjson", ...args], {
      cwd,
      env: await withCliKey(["listen"], env),
      ready: { line: /"event":"listening"/ },
    });
    onTestFinished(async () => void (await child.stop("SIGKILL")));
    const { secret } = JSON.parse(child.lines[0] ?? "{}") as { secret: string };
    return { ...child, secret };
  };
  return { cwd, cli, listen };
}

interface Verified {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

async function verified({ body, headers }: Received, secret: string): Promise<Verified> {
  const library = (await import(join(ROOT, "packages/sdk/dist/index.js"))) as {
    verifyWebhook: (delivery: object) => Promise<Verified>;
  };
  return library.verifyWebhook({ body, headers, secret });
}

const VERIFY = `
import json, sys
from svc_client import verify_webhook
given = json.loads(sys.argv[1])
print(verify_webhook(given["body"].encode(), given["headers"], given["secret"]).type)
`;

describe("svc-cli listen", { timeout: TIMEOUT_MS }, () => {
  // proves CLI-76
  it("delivers decisions and kill switches in a form that the client library verifies", async () => {
    const server = await serverOfTest();
    const receiver = await receiverOfTest(200, 500, 302);
    const { cli, listen } = await setUp(server);
    const events = ["--events", "policy.decision,killswitch.activated"];
    const { secret, ...listening } = await listen("--forward-to", receiver.url, ...events);
    await execute(server.url, { agent_id: "agent-1", tool: "db.drop" });
    const decision = await receiver.at(0);
    expect(await verified(decision, secret)).toMatchObject({
      type: "policy.decision",
      data: { agent_id: "agent-1", tool: "db.drop", decision: "deny" },
    });
    expect(decision.headers).toMatchObject({
      "x-svc-event": "policy.decision",
      "idempotency-key": decision.headers["webhook-id"],
    });
    await expect(verified(decision, "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX")).rejects.toThrow();
    await cli("kill", "agent", "agent-2", "--reason", "it loops", "--by", "ana");
    expect(await verified(await receiver.at(1), secret)).toMatchObject({
      type: "killswitch.activated",
      data: { scope: "agent", target_id: "agent-2", activated_by: "ana" },
    });
    await execute(server.url, { agent_id: "agent-3" });
    await receiver.at(2);
    const statuses = await until(() => {
      const found = listening.lines.filter((line) => line.includes('"event":"delivery"'));
      return found.length < 3
        ? undefined
        : found.map((line) => (JSON.parse(line) as { status: number }).status);
    });
    expect(statuses).toEqual([200, 500, 302]);
    expect(receiver.received).toHaveLength(3);
    listening.signal("SIGINT");
    expect(await listening.exited).toBe(130);
  });

  // proves CLI-76
  // skip: the peer is not installed; continuous integration has it and fails without.
  it.skipIf(missing.python3)("is verified by the Python library, too", async () => {
    const server = await serverOfTest();
    const receiver = await receiverOfTest();
    const { listen } = await setUp(server);
    const { secret } = await listen("--forward-to", receiver.url);
    await execute(server.url, { agent_id: "agent-1" });
    const { body, headers } = await receiver.at(0);
    const given = JSON.stringify({ body, headers, secret });
    const source = join(ROOT, "clients", "python", "src");
    const result = await runProgram("python3", ["-c", VERIFY, given], { PYTHONPATH: source });
    expect(result).toEqual({ exitCode: 0, stdout: "policy.decision\n", stderr: "" });
  });

  // proves CLI-73, CLI-76
  it("goes on after the server was killed, and delivers each decision once", async () => {
    const port = await findFreePort();
    const { path: dataDir, remove } = await makeTemporaryDirectory();
    onTestFinished(remove);
    const start = () => startServer({ dataDir, env: { SVC_LISTEN: `127.0.0.1:${String(port)}` } });
    const first = await start();
    const receiver = await receiverOfTest();
    const { listen } = await setUp(first);
    await listen("--forward-to", receiver.url);
    await execute(first.url, { agent_id: "agent-1" });
    await receiver.at(0);
    await execute(first.url, { agent_id: "agent-2" });
    await first.stop("SIGKILL");
    const second = await start();
    onTestFinished(async () => void (await second.stop("SIGKILL")));
    await execute(second.url, { agent_id: "agent-3" });
    await receiver.at(2);
    const agents = receiver.received.map(({ body }) => (JSON.parse(body) as Verified).data["agent_id"]);
    expect(agents).toEqual(["agent-1", "agent-2", "agent-3"]);
  });
});

describe("svc-cli trigger", { timeout: TIMEOUT_MS }, () => {
  // proves CLI-77
  it("sends a sample of every event through a running listen, in order of its calls", async () => {
    const server = await serverOfTest();
    const receiver = await receiverOfTest();
    const { cwd, cli, listen } = await setUp(server);
    const { secret, ...listening } = await listen("--forward-to", receiver.url);
    expect(statSync(join(cwd, "config/svc/listen.sock")).mode & 0o777).toBe(0o600);
    for (const [at, type] of WEBHOOK_TYPES.entries()) {
      expect(await cli("trigger", type)).toMatchObject({ exitCode: 0, stderr: "" });
      expect((await verified(await receiver.at(at), secret)).type).toBe(type);
    }
    listening.signal("SIGINT");
    await listening.exited;
    expect(existsSync(join(cwd, "config/svc/listen.sock"))).toBe(false);
    expect(await cli("trigger", "policy.decision")).toMatchObject({ exitCode: 2, stdout: "" });
  });

  // proves CLI-77
  it("sends to an address, and ends with 1 when the receiver does not take it", async () => {
    const receiver = await receiverOfTest(204, 400);
    const { cwd, cli } = await setUp({ url: "http://127.0.0.1:1" });
    const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";
    writeFileSync(join(cwd, "hook.secret"), secret, { mode: 0o600 });
    const send = (to: string) =>
      cli("trigger", "agent.registered", "--to", to, "--secret-file", "hook.secret");
    expect((await send(receiver.url)).exitCode).toBe(0);
    expect((await verified(await receiver.at(0), secret)).type).toBe("agent.registered");
    expect((await send(receiver.url)).exitCode).toBe(1);
    expect((await send(`http://127.0.0.1:${String(await findFreePort())}`)).exitCode).toBe(1);
    const own = await cli("trigger", "agent.registered", "--to", receiver.url, "-o", "json");
    const made = (JSON.parse(own.stdout) as { secret: string }).secret;
    expect((await verified(await receiver.at(2), made)).type).toBe("agent.registered");
  });
});
