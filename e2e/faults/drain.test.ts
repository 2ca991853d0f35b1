// peers: nginx, postgres
// long: it ends and starts gateways under load
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "@svc/process/free-port";
import { startDatabaseLink } from "@svc/store/testing/database-link";
import { describePostgres } from "@svc/store/testing/describe-postgres-suite";
import { expect, it, onTestFinished } from "vitest";
import { startProcess } from "../support/processes/child-process.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { programOf } from "../support/processes/peer-programs.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { NGINX_DIRECTIVES } from "../support/proxies/nginx-directives.ts";
import { createPolicy, send } from "../support/server/api.ts";
import { clusterOfTest, listGateways } from "../support/server/cluster.ts";
import { rememberWay } from "../support/server/role-keys.ts";
import { serverOfTest } from "../support/server/server-process.ts";

const SHIPPED = join(import.meta.dirname, "..", "..", "docker", "nginx.conf");

/** Calls under way at any time. */
const IN_FLIGHT = 12;

const CALL = { body: { agent_id: "agent-1", tool: "payments.refund" } };

/** Gateways that are replaced, one after another. */
const ROUNDS = 2;

/** Keeps calls under way until it is ended, and keeps what each was answered. */
function callers(url: string) {
  const answers: string[] = [];
  let last = "";
  let isEnded = false;
  const work = async (): Promise<void> => {
    while (!isEnded) {
      const answer = await send("POST", `${url}/api/v1/gateway/execute`, CALL).catch(String);
      answers.push(typeof answer === "string" ? answer : String(answer.body["decision"]));
      if (typeof answer !== "string") last = String(answer.body["decision_id"]);
    }
  };
  const workers = Array.from({ length: IN_FLIGHT }, work);
  const end = async (): Promise<readonly string[]> => {
    isEnded = true;
    await Promise.all(workers);
    return answers;
  };
  /** The decision id that came last; it names its gateway. */
  return { answers, last: () => last, end };
}

/** The shipped nginx before two gateways, without TLS. */
async function nginxBefore(ports: readonly [number, number]): Promise<string> {
  const folder = await temporaryDirectory();
  const [inside, outside] = [await findFreePort(), await findFreePort()];
  const config = readFileSync(SHIPPED, "utf8")
    .replace("gateway-1:8080", `127.0.0.1:${String(ports[0])}`)
    .replace("gateway-2:8080", `127.0.0.1:${String(ports[1])}`)
    .replace("control:8080", `127.0.0.1:${String(ports[0])}`)
    .replace("listen 8080;", `listen 127.0.0.1:${String(inside)};`)
    .replace("listen 8443 ssl;", `listen 127.0.0.1:${String(outside)};`)
    .replaceAll(/ +ssl_.*\n/g, "")
    .replaceAll("/tmp/", `${folder}/`);
  const path = join(folder, "nginx.conf");
  await writeFile(path, config);
  const args = ["-p", folder, "-c", path, "-g", NGINX_DIRECTIVES];
  const nginx = await startProcess(programOf("nginx"), args, { cwd: folder, ready: { port: inside } });
  onTestFinished(async () => void (await nginx.stop("SIGKILL")));
  return `http://127.0.0.1:${String(inside)}`;
}

/** Seconds that requests ask to wait: longer than a server may take to end. */
const WAIT_S = 30;

const ASKING = `id: p
agent_id: agent-1
tools: { allowed: ['*'] }
rules: [{ id: ask, match: { tool: payments.* }, action: require_approval }]
`;

// proves OPS-64
it("answers a request that waits for an approval when the server ends", async () => {
  const server = await serverOfTest();
  expect((await createPolicy(server.url, ASKING)).status).toBe(201);
  const paused = await send("POST", `${server.url}/api/v1/gateway/execute`, CALL);
  const id = String(paused.body["approval_url"]).split("/").at(-1) ?? "";
  const url = `${server.url}/api/v1/approvals/${id}`;
  const waiting = send("GET", url, { headers: { prefer: `wait=${String(WAIT_S)}` } });
  // The server has the request when it answers a later one.
  expect((await send("GET", url)).status).toBe(200);
  server.signal("SIGTERM");
  expect(await waiting).toMatchObject({ status: 200, body: { status: "pending" } });
  expect(await server.exited).toBe(0);
});

describePostgres("a gateway that is ended under load", (postgres) => {
  // proves OPS-60
  // skip: the peer is not installed; continuous integration has it and fails without.
  it.skipIf(missing.nginx)(
    "leaves no call without an answer behind the shipped nginx, and its successor begins at once",
    { timeout: 240_000 },
    async () => {
      const cluster = await clusterOfTest(postgres());
      const ports = [await findFreePort(), await findFreePort()] as const;
      const folders = [await temporaryDirectory(), await temporaryDirectory()] as const;
      const start = (at: 0 | 1) =>
        cluster.start(`gateway-${String(at + 1)}`, "all", {
          dataDir: folders[at],
          env: { SVC_LISTEN: `127.0.0.1:${String(ports[at])}` },
        });
      const servers = [await start(0), await start(1)];
      await createPolicy(servers[0]?.url ?? "", "id: p\nagent_id: agent-1\ntools: { allowed: ['*'] }\n");
      const url = await nginxBefore(ports);
      rememberWay(url, servers[0]?.url ?? "");
      const load = callers(url);
      for (let round = 0; round < ROUNDS; round += 1) {
        const at = round % 2 === 0 ? 0 : 1;
        const sent = load.answers.length;
        await expect.poll(() => load.answers.length, { timeout: 30_000 }).toBeGreaterThan(sent + 100);
        expect(await servers[at]?.stop("SIGTERM")).toBe(0);
        servers[at] = await start(at);
        // nginx leaves a gateway out for a second. As in an upgrade, the next one ends when this one serves.
        await expect
          .poll(() => load.last(), { timeout: 30_000, interval: 1 })
          .toMatch(new RegExp(`^gateway-${String(at + 1)}\\.`));
      }
      const answers = await load.end();
      // A deny is a verdict. A successor denies until it has compiled its policies.
      expect(answers.filter((answer) => !["allow", "deny"].includes(answer))).toEqual([]);
      expect(answers.filter((answer) => answer === "allow").length).toBeGreaterThan(answers.length / 2);
      expect((await listGateways(servers[0]?.url ?? "")).map(({ id }) => id)).toEqual([
        "gateway-1",
        "gateway-2",
      ]);
    },
  );

  // proves OPS-61
  it("ends within its grace, by the first of two signals, while the database is frozen", async () => {
    const link = await startDatabaseLink(await postgres().createDatabase());
    onTestFinished(() => link.close());
    const server = await serverOfTest({ env: { SVC_DATABASE_URL: link.url } });
    await createPolicy(server.url);
    link.freeze();
    const calls = Array.from({ length: 5 }, async () => {
      const { body } = await send("POST", `${server.url}/api/v1/gateway/execute`, CALL);
      return body["decision"];
    });
    const decisions = Promise.all(calls.map((call) => call.catch(() => "refused")));
    server.signal("SIGTERM");
    server.signal("SIGTERM");
    const code = await server.exited;
    expect(code).toBe(0);
    for (const message of ["stopping: new connections are refused", "stopped"])
      expect(server.output().split(message)).toHaveLength(2);
    expect(await decisions).not.toContain("allow");
  });
});
