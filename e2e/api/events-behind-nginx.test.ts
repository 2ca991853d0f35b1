// peers: nginx, postgres
// long: it keeps a quiet stream open for longer than the proxy waits
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "@svc/process/free-port";
import { freshDatabase } from "@svc/store/testing/shared-postgres";
import { expect, it, onTestFinished } from "vitest";
import { startProcess } from "../support/processes/child-process.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { programOf } from "../support/processes/peer-programs.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { NGINX_DIRECTIVES } from "../support/proxies/nginx-directives.ts";
import { createPolicy, execute } from "../support/server/api.ts";
import { type EventStream, openEvents } from "../support/server/event-stream.ts";
import { makeKeys, rememberWay } from "../support/server/role-keys.ts";
import { serverOfTest } from "../support/server/server-process.ts";

/** Seconds that nginx waits for the server to send something: longer than a heartbeat takes. */
const READ_TIMEOUT_S = 20;

/** Milliseconds after a call until its event must be there: a proxy that buffers keeps it much longer. */
const ARRIVES_WITHIN_MS = 2_000;

const TIMEOUT_MS = 120_000;

/** An nginx with the settings that it has when nobody thinks of event streams: it buffers answers. */
async function nginxBefore(backend: number) {
  const folder = await temporaryDirectory();
  const port = await findFreePort();
  const config = join(folder, "nginx.conf");
  await writeFile(
    config,
    `pid nginx.pid; error_log stderr; events {}
http { access_log off; server { listen 127.0.0.1:${String(port)};
  location / {
    proxy_pass http://127.0.0.1:${String(backend)};
    proxy_http_version 1.1;
    proxy_buffering on;
    proxy_buffers 8 64k;
    proxy_read_timeout ${String(READ_TIMEOUT_S)}s;
  } } }
`,
  );
  const start = async () => {
    const args = ["-p", folder, "-c", config, "-g", NGINX_DIRECTIVES];
    const nginx = await startProcess(programOf("nginx"), args, { cwd: folder, ready: { port } });
    onTestFinished(async () => void (await nginx.stop("SIGKILL")));
    return nginx;
  };
  return { url: `http://127.0.0.1:${String(port)}`, start };
}

const idsOf = ({ events }: EventStream): readonly unknown[] => events.map(({ data }) => data["id"]);

const decide = async (url: string) => String((await execute(url)).body["decision_id"]);

// proves EVT-09
// skip: the peer is not installed; continuous integration has it and fails without.
it.skipIf(missing.nginx)(
  "a stream behind nginx gets events at once, outlives its patience and goes on after its end",
  async () => {
    const server = await serverOfTest();
    await createPolicy(server.url);
    await makeKeys(server.url);
    const proxy = await nginxBefore(server.port);
    rememberWay(proxy.url, server.url);
    const nginx = await proxy.start();
    const stream = await openEvents(proxy.url);
    expect(stream.headers.get("content-type")).toBe("text/event-stream");
    const ids = [await decide(server.url)];
    await expect.poll(() => idsOf(stream), { timeout: ARRIVES_WITHIN_MS }).toEqual(ids);
    const quietUntil = performance.now() + (READ_TIMEOUT_S + 5) * 1_000;
    const isQuiet = () => performance.now() < quietUntil && !stream.isOver();
    await expect.poll(isQuiet, { timeout: 2 * READ_TIMEOUT_S * 1_000, interval: 200 }).toBe(false);
    expect([stream.isOver(), stream.comments.length > 0]).toEqual([false, true]);
    ids.push(await decide(server.url));
    await expect.poll(() => idsOf(stream), { timeout: ARRIVES_WITHIN_MS }).toEqual(ids);
    await nginx.stop("SIGKILL");
    await expect.poll(stream.isOver).toBe(true);
    const missed = [await decide(server.url), await decide(server.url)];
    await proxy.start();
    const next = await openEvents(proxy.url, { headers: { "last-event-id": stream.lastId() } });
    await expect.poll(() => idsOf(next), { timeout: ARRIVES_WITHIN_MS }).toEqual(missed);
  },
  TIMEOUT_MS,
);

// proves EVT-08
// skip: the machine has no PostgreSQL; continuous integration installs it and fails without.
it.skipIf(missing.postgres)(
  "a stream of one gateway goes on at another of the same database, with the events of both",
  async () => {
    const databaseUrl = await freshDatabase();
    const gateway = async (id: string) => {
      const env = { SVC_DATABASE_URL: databaseUrl, SVC_GATEWAY_ID: id };
      return serverOfTest({ dataDir: await temporaryDirectory(), env });
    };
    const first = await gateway("gw_a");
    await createPolicy(first.url);
    await makeKeys(first.url);
    const stream = await openEvents(first.url);
    const seen = [await decide(first.url)];
    await expect.poll(() => idsOf(stream), { timeout: 10_000 }).toEqual(seen);
    stream.close();
    const missed = [await decide(first.url)];
    await first.stop("SIGKILL");
    const second = await gateway("gw_b");
    const lastId = stream.lastId();
    const next = await openEvents(second.url, { headers: { "last-event-id": lastId } });
    const later = [await decide(second.url), await decide(second.url)];
    await expect.poll(() => idsOf(next), { timeout: 10_000 }).toEqual([...missed, ...later]);
    expect(later.every((id) => id.startsWith("gw_b."))).toBe(true);
  },
  TIMEOUT_MS,
);
