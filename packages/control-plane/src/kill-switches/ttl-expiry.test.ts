import { loadAtOnce } from "@svc/control-feed/testing/load-at-once";
import { describe, expect, it } from "vitest";
import { activation } from "../testing/activation.ts";
import type { TestDatabase } from "../testing/test-database.ts";
import { OPERATOR, STRANGER, type TestPorts, testPorts } from "../testing/test-ports.ts";
import { activateKillSwitch } from "./activate-kill-switch.ts";
import { deactivateKillSwitch } from "./deactivate-kill-switch.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const statusOf = ({ database }: { database: TestDatabase }, id = "ks_1") =>
  database.killSwitches.get(id)?.entity.status;

async function withSwitch(ttl_seconds: number | null): Promise<TestPorts> {
  const ports = testPorts();
  await activateKillSwitch(ports, OPERATOR, activation({ ttl_seconds }));
  await ports.followed.catchUp();
  return ports;
}

/** A control plane that starts over what another one left behind, `afterMs` later. */
async function restarted(before: TestPorts, afterMs: number): Promise<TestPorts> {
  await before.expiry.stop();
  const ports = testPorts(before.database);
  ports.time.wallEpochMs = before.time.now().getTime() + afterMs;
  await ports.followed.catchUp();
  await ports.time.advance(0);
  return ports;
}

describe("a switch with a time to live", () => {
  // proves AUD-16, KILL-11, KILL-12
  it("ends when it is over and not before, and the log says why", async () => {
    const ports = await withSwitch(60);
    await ports.time.advance(59_999);
    expect(statusOf(ports)).toBe("active");
    await ports.time.advance(1);
    expect(ports.database.killSwitches.get("ks_1")?.entity).toMatchObject({
      status: "inactive",
      ended_by: "ttl_expiry",
      ended_at: "2026-01-01T00:01:00.000Z",
    });
    expect(ports.database.auditRows[1]).toMatchObject({
      action: "expired",
      trigger_source: "ttl_expiry",
      actor: "ttl_expiry",
      kill_switch_id: "ks_1",
    });
    expect(ports.propagation.announced).toEqual([1, 2]);
  });

  it("ends by the process that leads, and by another one soon after it has taken over", async () => {
    const ports = await withSwitch(60);
    ports.lead.isHeld = false;
    await ports.time.advance(120_000);
    expect(statusOf(ports)).toBe("active");
    ports.lead.isHeld = true;
    await ports.time.advance(250);
    expect(statusOf(ports)).toBe("inactive");
    await ports.time.advance(HOUR_MS);
    expect(ports.database.auditRows.filter(({ kind }) => kind === "kill_switch")).toHaveLength(2);
  });

  it.each([HOUR_MS, -HOUR_MS, DAY_MS])(
    "S5: a wall clock that jumps by %d ms moves no end",
    async (jumpMs) => {
      const ports = await withSwitch(60);
      ports.time.wallEpochMs += jumpMs;
      await ports.time.advance(59_999);
      expect(statusOf(ports)).toBe("active");
      await ports.time.advance(1);
      expect(statusOf(ports)).toBe("inactive");
    },
  );

  it("of more than a timer can hold ends on its day", async () => {
    const days = 366;
    const ports = await withSwitch(days * 24 * 3_600);
    await ports.time.advance(days * DAY_MS - 1);
    expect(statusOf(ports)).toBe("active");
    await ports.time.advance(1);
    expect(statusOf(ports)).toBe("inactive");
  });

  // proves KILL-10
  it("without one never ends by itself", async () => {
    const ports = await withSwitch(null);
    await ports.time.advance(400 * DAY_MS);
    expect(statusOf(ports)).toBe("active");
  });

  it.each([1, 5, 20])("ends although the store fails %d times", async (failures) => {
    const ports = await withSwitch(60);
    let left = failures;
    ports.database.before = async (call) => {
      if (call === "endKillSwitch" && left-- > 0) throw new Error("locked");
    };
    await ports.time.advance(60_000);
    expect(statusOf(ports)).toBe("active");
    await ports.time.advance(failures * 30_000);
    expect(statusOf(ports)).toBe("inactive");
    expect(ports.logged).toHaveLength(failures);
    expect(ports.database.auditRows).toHaveLength(2);
  });

  it("ends once when its end was written but not confirmed", async () => {
    const ports = await withSwitch(60);
    let lost = false;
    ports.database.after = async (call) => {
      if (call === "endKillSwitch" && !lost) {
        lost = true;
        throw new Error("connection lost");
      }
    };
    await ports.time.advance(DAY_MS);
    expect(ports.database.auditRows.map((row) => "action" in row && row.action)).toEqual([
      "activated",
      "expired",
    ]);
    expect(ports.time.pending).toBe(0);
  });

  it("has ended even if nobody acknowledges", async () => {
    const ports = await withSwitch(60);
    ports.propagation.before = () => Promise.reject(new Error("cut"));
    await ports.time.advance(60_000);
    expect(statusOf(ports)).toBe("inactive");
    expect(ports.time.pending).toBe(0);
  });
});

describe("after a restart", () => {
  it.each([
    ["with half of its life left", 30_000, 30_000],
    ["with nothing left", 3 * HOUR_MS, 0],
    ["with the clock set back", -HOUR_MS, 60_000],
  ])("a switch %s ends after what is left, at most its whole life", async (_name, afterMs, leftMs) => {
    const ports = await restarted(await withSwitch(60), afterMs);
    if (leftMs > 0) {
      await ports.time.advance(leftMs - 1);
      expect(statusOf(ports)).toBe("active");
      await ports.time.advance(1);
    }
    expect(statusOf(ports)).toBe("inactive");
  });

  it("all that are overdue end, each in its own organization, those without end stay", async () => {
    const before = testPorts();
    for (const principal of [OPERATOR, STRANGER]) {
      await activateKillSwitch(before, principal, activation({ ttl_seconds: 1 }));
      await activateKillSwitch(before, principal, activation({ target_id: "a-2" }));
    }
    const ports = await restarted(before, HOUR_MS);
    expect(["ks_1", "ks_2", "ks_3", "ks_4"].map((id) => statusOf(ports, id))).toEqual([
      "inactive",
      "active",
      "inactive",
      "active",
    ]);
    expect(ports.database.auditRows.slice(4).map(({ org }) => org)).toEqual(["acme", "other"]);
  });

  it("a store that cannot be read is an error, not an empty list", async () => {
    const ports = testPorts();
    ports.database.before = () => Promise.reject(new Error("locked"));
    await expect(ports.followed.catchUp()).rejects.toThrow("locked");
  });

  it("what was stopped ends nothing any more", async () => {
    const ports = await withSwitch(60);
    await ports.expiry.stop();
    await ports.time.advance(HOUR_MS);
    expect(statusOf(ports)).toBe("active");
    expect(ports.time.pending).toBe(0);
  });
});

describe("following the feed", () => {
  const extended = (ports: TestPorts, ttl_seconds: number | null) =>
    activateKillSwitch(ports, OPERATOR, activation({ ttl_seconds }));

  // proves KILL-11
  it("ends a switch that another process activated, extended or never confirmed", async () => {
    const ports = testPorts();
    const elsewhere = testPorts(ports.database);
    let isLost = true;
    ports.database.after = async (call) => {
      if (call !== "activateKillSwitch" || !isLost) return;
      isLost = false;
      throw new Error("connection lost");
    };
    const outcome = await activateKillSwitch(elsewhere, OPERATOR, activation({ ttl_seconds: 60 }));
    expect(outcome.kind).toBe("problem");
    await ports.followed.catchUp();
    await extended(elsewhere, 120);
    await ports.followed.catchUp();
    await ports.time.advance(119_999);
    expect(statusOf(ports)).toBe("active");
    await ports.time.advance(1);
    expect(statusOf(ports)).toBe("inactive");
  });

  it("lets a switch live that was extended where the feed has not been read since", async () => {
    const ports = await withSwitch(60);
    await extended(ports, 120);
    await ports.time.advance(60_000);
    expect(statusOf(ports)).toBe("active");
    await ports.followed.catchUp();
    await ports.time.advance(60_000);
    expect(statusOf(ports)).toBe("inactive");
  });

  it.each([
    ["was made endless", (ports: TestPorts) => extended(ports, null)],
    [
      "ended by hand",
      (ports: TestPorts) =>
        deactivateKillSwitch(ports, OPERATOR, {
          kill_switch_id: "ks_1",
          reason: "over",
          deactivated_by: "bob",
          trigger_source: "api",
        }),
    ],
  ])("watches a switch no longer that %s", async (_name, change) => {
    const ports = await withSwitch(60);
    await change(ports);
    await ports.followed.catchUp();
    expect(ports.time.pending).toBe(0);
  });

  it("S5: a snapshot after a jump of the wall clock moves no end", async () => {
    const ports = await withSwitch(60);
    ports.time.wallEpochMs -= HOUR_MS;
    loadAtOnce(ports.expiry, await ports.database.controlFeed.snapshot());
    ports.time.wallEpochMs += 2 * HOUR_MS;
    loadAtOnce(ports.expiry, await ports.database.controlFeed.snapshot());
    await ports.time.advance(59_999);
    expect(statusOf(ports)).toBe("active");
    await ports.time.advance(1);
    expect(statusOf(ports)).toBe("inactive");
  });

  it("forgets what a snapshot does not hold any more", async () => {
    const ports = await withSwitch(60);
    loadAtOnce(ports.expiry, { revision: 7, changes: [] });
    expect([ports.time.pending, ports.expiry.revision]).toEqual([0, 7]);
  });

  it("never ends a switch whose end cannot be read, and says so", async () => {
    const ports = await withSwitch(60);
    const [event] = ports.database.events;
    if (event?.change.kind !== "kill_switch") return expect.unreachable();
    const record = { ...event.change.record, expires_at: "soon" };
    ports.expiry.apply({ ...event, revision: 2, change: { ...event.change, record } });
    expect(ports.time.pending).toBe(0);
    expect(ports.logged).toEqual([expect.stringContaining("cannot be read")]);
  });
});
