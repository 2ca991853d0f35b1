// long: it starts a PostgreSQL, a server, a proxy and an MCP server
// peers: postgres
import { openPostgresStore } from "@svc/store/open-postgres-store";
import { startPostgresServer } from "@svc/store/testing/postgres-server";
import { killSwitch } from "@svc/store/testing/records";
import { expect, it, onTestFinished } from "vitest";
import { createPolicy, send } from "../support/api.ts";
import { checkedExport } from "../support/audit-export.ts";
import { serverOfTest } from "../support/server-process.ts";
import { mcpClients } from "./mcp-clients.ts";
import { startMcpProxy } from "./mcp-proxy-process.ts";
import { startEverythingServer } from "./mcp-servers.ts";

const POLICY = 'id: demo\nagent_id: agent-1\ntools: { allowed: ["demo.*"] }\n';

/** Longest time in milliseconds from a kill to its news: the list is asked for every second. */
const NEWS_MS = 10_000;

async function rowsOf(url: string, kind: string) {
  return (await checkedExport(url)).map(({ row }) => row).filter((row) => row["kind"] === kind);
}

// proves HELD-13
it("a session kill by rogue detection ends MCP calls, which stay revoked", async () => {
  const postgres = await startPostgresServer();
  onTestFinished(() => postgres.stop());
  const svc = await serverOfTest({ env: { SVC_DATABASE_URL: postgres.url } });
  expect((await createPolicy(svc.url, POLICY)).status).toBe(201);
  const server = await startEverythingServer();
  const proxy = await startMcpProxy({
    gatewayUrl: svc.url,
    upstreamUrl: server.url,
    env: { SVC_MCP_ID: "demo" },
  });
  onTestFinished(async () => {
    await proxy.stop("SIGKILL");
    await server.stop();
  });
  const [sessions] = mcpClients.filter(({ era }) => era === "sessions");
  if (sessions === undefined) throw new Error("expected a client with sessions");
  const client = await sessions.connect(proxy.url);
  const running = client.call("trigger-long-running-operation", { duration: 30, steps: 30 });
  const refusal = running.catch((error: unknown) => error);
  await expect.poll(() => rowsOf(svc.url, "decision"), { timeout: NEWS_MS }).toHaveLength(1);
  const [decision] = await rowsOf(svc.url, "decision");

  // The switch as rogue detection activates it, by another process of the database.
  const store = await openPostgresStore({ url: postgres.url, logId: "gw_supervisor" });
  onTestFinished(() => store.close());
  const activated_at = new Date().toISOString();
  const by = { activated_by: "rogue_detection", trigger_source: "rogue_detection" } as const;
  const target = { scope: "session", target_id: String(decision?.["session_id"]) } as const;
  const record = killSwitch("ks_rogue", { ...target, ...by, activated_at, reason: "silence" });
  const auditRow = JSON.stringify({
    v: 1,
    kind: "kill_switch",
    time: activated_at,
    org: "default",
    principal: "rogue_detection",
  });
  await store.killSwitches.activateKillSwitch({ org: "default", record, auditRow });

  expect(await refusal).toMatchObject({ code: 403_001, data: { reason_code: "kill_switch" } });
  const revoked = [expect.objectContaining({ status: "revoked" })];
  await expect.poll(() => rowsOf(svc.url, "outcome"), { timeout: NEWS_MS }).toEqual(revoked);
  const [outcome] = await rowsOf(svc.url, "outcome");
  const late = await send("POST", `${svc.url}/api/v1/gateway/outcome`, {
    body: { decision_id: outcome?.["decision_id"], status: "succeeded" },
  });
  expect(late).toMatchObject({ status: 409, body: { code: "conflict" } });
  expect(await rowsOf(svc.url, "outcome")).toEqual(revoked);
  await client.close();
}, 120_000);
