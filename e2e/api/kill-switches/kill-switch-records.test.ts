// long: it starts a server for each case
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPolicy, execute, send } from "../../support/server/api.ts";
import { checkedExport } from "../../support/server/audit-export.ts";
import { activate, deactivate, listed } from "../../support/server/kill-switches.ts";
import { type ServerProcess, startServer } from "../../support/server/server-process.ts";

let server: ServerProcess;

beforeEach(async () => {
  server = await startServer();
  expect((await createPolicy(server.url)).status).toBe(201);
});

afterEach(async () => {
  await server.stop();
});

describe("a kill switch", () => {
  // proves KILL-13, KILL-15, KILL-18
  it("answers a repeated activation and a repeated end with the record that exists", async () => {
    const first = await activate(server.url, { scope: "agent", target_id: "agent-1" });
    const again = await activate(server.url, { scope: "agent", target_id: "agent-1", reason: "another" });
    expect(again.status).toBe(200);
    expect(again.body["kill_switch_id"]).toBe(first.body["kill_switch_id"]);
    await deactivate(server.url, first.body["kill_switch_id"]);
    expect((await deactivate(server.url, first.body["kill_switch_id"])).status).toBe(200);
    expect((await deactivate(server.url, "ks_unknown")).status).toBe(404);
    const rows = (await checkedExport(server.url)).filter(({ row }) => row["kind"] === "kill_switch");
    expect(rows.map(({ row }) => row["action"])).toEqual(["activated", "deactivated"]);
  });

  // proves KILL-37
  it("that stops everything is first in the list, which says so", async () => {
    const wide = await activate(server.url, { scope: "tool", target_id: "x", account_wide: true });
    await activate(server.url, { scope: "agent", target_id: "agent-1", ttl_seconds: 60 });
    const { body } = await send("GET", `${server.url}/v1/kill-switch?status=active`);
    expect(body["kill_switches"]).toMatchObject([
      {
        kill_switch_id: wide.body["kill_switch_id"],
        account_wide: true,
        stops: "EVERY call of this organization",
        remaining_seconds: null,
      },
      { stops: "every call of agent agent-1", remaining_seconds: expect.any(Number) },
    ]);
  });

  it("is not ended by a DELETE without reason and actor, and the answer says what to send", async () => {
    const { body } = await activate(server.url, { scope: "agent", target_id: "agent-1" });
    const path = `${server.url}/v1/kill-switch/${String(body["kill_switch_id"])}`;
    const refused = await send("DELETE", path);
    expect([refused.status, refused.body["detail"]]).toEqual([
      400,
      expect.stringContaining('{"reason":"...","deactivated_by":"..."}'),
    ]);
    expect(await listed(server.url, "active")).toHaveLength(1);
  });

  // proves KILL-02, KILL-11, KILL-12
  it("S5: expires at its time, with an audit row", async () => {
    const { body } = await activate(server.url, { scope: "agent", target_id: "agent-1", ttl_seconds: 1 });
    expect(Date.parse(String(body["expires_at"])) - Date.parse(String(body["activated_at"]))).toBe(1_000);
    expect((await execute(server.url)).body["decision"]).toBe("deny");
    await vi.waitFor(async () => expect((await execute(server.url)).body["decision"]).toBe("allow"), {
      timeout: 10_000,
      interval: 100,
    });
    const ended = (await checkedExport(server.url)).find(({ row }) => row["action"] === "expired");
    expect(ended?.row).toMatchObject({
      trigger_source: "ttl_expiry",
      kill_switch_id: body["kill_switch_id"],
    });
  });

  // proves KILL-26
  it("blocks nothing as a dry run, and reports who would be affected", async () => {
    await execute(server.url);
    const dryRun = await activate(server.url, { scope: "agent", target_id: "agent-1", dry_run: true });
    expect(dryRun.status).toBe(200);
    expect(dryRun.body).toMatchObject({
      dry_run: true,
      affected: { agents: ["agent-1"], sessions: ["s-1"] },
    });
    expect(dryRun.body["gateways"]).toHaveLength(1);
    expect((await execute(server.url)).body["decision"]).toBe("allow");
    expect(await listed(server.url, "all")).toEqual([]);
  });
});

describe("a malformed activation", () => {
  // proves KILL-09, KILL-28
  it("is refused with the field that is wrong, and activates nothing", async () => {
    const malformed = [
      [{ scope: "agent" }, "/target_id"],
      [{ scope: "galaxy", target_id: "x" }, "/scope"],
      [{ scope: "tool", target_id: "payments.*" }, "/target_id"],
      [{ scope: "global", ttl_seconds: 60 }, "/ttl_seconds"],
      [{ scope: "agent", target_id: "a", ttl_seconds: 0 }, "/ttl_seconds"],
      [{ scope: "agent", target_id: "a", extra: 1 }, "/extra"],
    ] as const;
    for (const [body, pointer] of malformed) {
      const refused = await activate(server.url, body);
      expect([refused.status, refused.body["errors"]]).toMatchObject([400, [{ pointer }]]);
    }
    expect(await listed(server.url, "all")).toEqual([]);
  });
});
