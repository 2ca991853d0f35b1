// alone: it bounds how long an activation takes to be acknowledged
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createPolicy, execute } from "../../support/server/api.ts";
import { checkedExport } from "../../support/server/audit-export.ts";
import { activate, activateEnforced, deactivate, listed } from "../../support/server/kill-switches.ts";
import { type ServerProcess, serverOfTest, startServer } from "../../support/server/server-process.ts";

async function serverWithPolicy(): Promise<ServerProcess> {
  const server = await serverOfTest();
  expect((await createPolicy(server.url)).status).toBe(201);
  return server;
}

describe("a kill switch", () => {
  let server: ServerProcess;

  beforeAll(async () => {
    server = await startServer();
    expect((await createPolicy(server.url)).status).toBe(201);
  });

  afterAll(async () => {
    await server.stop();
  });

  // proves KILL-01, KILL-07, KILL-08, KILL-14, KILL-16, KILL-20, KILL-21, KILL-22, KILL-23
  it.each([
    { scope: "session", target_id: "s-1" },
    { scope: "agent", target_id: "agent-1" },
    { scope: "tool", target_id: "payments.refund" },
    { scope: "namespace", target_id: "default" },
    { scope: "global" },
    { scope: "agent", account_wide: true },
  ])("stops the very next call, and its end lets calls pass again: %j", async (target) => {
    const earlier = await listed(server.url, "all");
    expect((await execute(server.url)).body["decision"]).toBe("allow");
    const activated = await activate(server.url, target);
    expect(activated.status).toBe(201);
    expect(activated.body).toMatchObject({ status: "active", ended_by: null });
    await activateEnforced(server.url, target);
    expect(activated.body["propagation_ms"]).toBeGreaterThanOrEqual(0);
    const id = activated.body["kill_switch_id"];
    const denied = await execute(server.url);
    expect(denied.body).toMatchObject({ decision: "deny", reason_code: "kill_switch", kill_switch_id: id });
    expect(await listed(server.url, "active")).toEqual([id]);

    const ended = await deactivate(server.url, id);
    expect(ended).toMatchObject({ status: 200, body: { status: "inactive", ended_by: "on-call" } });
    expect((await execute(server.url)).body["decision"]).toBe("allow");
    expect(await listed(server.url, "active")).toEqual([]);
    for (const status of ["inactive", "all"] as const)
      expect(new Set(await listed(server.url, status))).toEqual(new Set([id, ...earlier]));
  });
});

// proves KILL-34
it("a kill switch is extended by a repeat with a later end, and stops calls past its first end", async () => {
  const { url } = await serverWithPolicy();
  const target = { scope: "agent", target_id: "agent-1" };
  const first = await activate(url, { ...target, ttl_seconds: 2 });
  const longer = await activate(url, { ...target, reason: "for good" });
  expect(longer.status).toBe(200);
  expect(longer.body).toMatchObject({
    kill_switch_id: first.body["kill_switch_id"],
    extended: true,
    expires_at: null,
    remaining_seconds: null,
  });
  const shorter = await activateEnforced(url, { ...target, ttl_seconds: 1 });
  expect(shorter.body).toMatchObject({ extended: false, expires_at: null });
  expect(shorter.body["note"]).toContain("never shortens");
  // A second switch with the same end as the first had shows that this end has passed.
  await activate(url, { scope: "agent", target_id: "agent-2", ttl_seconds: 2 });
  await vi.waitFor(async () => expect(await listed(url, "inactive")).toHaveLength(1), {
    timeout: 10_000,
    interval: 100,
  });
  expect((await execute(url)).body["decision"]).toBe("deny");
  const rows = (await checkedExport(url)).filter(({ row }) => row["kind"] === "kill_switch");
  expect(rows.map(({ row }) => [row["action"], row["target_id"]])).toEqual([
    ["activated", "agent-1"],
    ["extended", "agent-1"],
    ["activated", "agent-2"],
    ["expired", "agent-2"],
  ]);
});

// proves KILL-36
it("a kill switch on a name that was never seen, warns and suggests the likely name", async () => {
  const { url } = await serverWithPolicy();
  await execute(url);
  const { status, body } = await activate(url, { scope: "agent", target_id: "agent1" });
  expect(status).toBe(201);
  expect(body["warning"]).toMatch(/^No call from agent agent1 was seen since .*Did you mean agent-1\?$/);
  expect(body["affected"]).toMatchObject({ agents: [], sessions: [] });
  const meant = await activate(url, { scope: "agent", target_id: "agent-1" });
  expect(meant.body).toMatchObject({ affected: { agents: ["agent-1"], sessions: ["s-1"] } });
  expect(meant.body).not.toHaveProperty("warning");
});
