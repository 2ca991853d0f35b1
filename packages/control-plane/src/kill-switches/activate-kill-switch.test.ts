import { describe, expect, it, vi } from "vitest";
import { activation } from "../testing/activation.ts";
import { OPERATOR, STRANGER, testPorts } from "../testing/test-ports.ts";
import { activateKillSwitch } from "./activate-kill-switch.ts";

const NOW = "2026-01-01T00:00:00.000Z";

describe("an activation", () => {
  // proves API-07, KILL-02, KILL-18
  it("writes switch, event and audit row, then answers what the gateways said", async () => {
    const ports = testPorts();
    const outcome = await activateKillSwitch(ports, OPERATOR, activation({ ttl_seconds: 60 }));
    const record = {
      kill_switch_id: "ks_1",
      scope: "agent",
      target_id: "a-1",
      account_wide: false,
      auto_recovery: false,
      status: "active",
      reason: "runaway",
      activated_by: "on-call",
      trigger_source: "api",
      activated_at: NOW,
      expires_at: "2026-01-01T00:01:00.000Z",
      ended_at: null,
      ended_by: null,
      end_reason: null,
      propagation_ms: 3,
    };
    const gateways = [{ id: "gw-1", acknowledged_ms: 3 }];
    expect(outcome).toEqual({
      kind: "activated",
      answer: {
        kind: "activated",
        ...record,
        gateways,
        enforced: true,
        extended: false,
        affected: { agents: ["a-1"], sessions: ["s-1"], complete: true },
      },
    });
    expect(ports.database.killSwitches.get("ks_1")?.entity).toEqual(record);
    expect(ports.propagation.announced).toEqual([1]);
    expect(ports.database.auditRows).toEqual([
      {
        v: 1,
        kind: "kill_switch",
        action: "activated",
        time: NOW,
        org: "acme",
        principal: "key_1",
        actor: "on-call",
        kill_switch_id: "ks_1",
        scope: "agent",
        target_id: "a-1",
        account_wide: false,
        reason: "runaway",
        trigger_source: "api",
        expires_at: "2026-01-01T00:01:00.000Z",
      },
    ]);
  });

  it.each([
    [{ scope: "session", target_id: "s-1" }, false],
    [{ scope: "tool", target_id: "payments.refund" }, false],
    [{ scope: "namespace", target_id: "prod" }, false],
    [{ scope: "global", target_id: null, account_wide: true }, true],
    [{ scope: "agent", target_id: "a-1", account_wide: true }, true],
  ] as const)("keeps the target as asked for: %j", async (target, account_wide) => {
    const ports = testPorts();
    const outcome = await activateKillSwitch(ports, OPERATOR, activation(target));
    expect(outcome).toMatchObject({ answer: { ...target, account_wide, expires_at: null } });
  });

  // proves AUD-16
  it.each(["api", "manual", "rogue_detection"] as const)(
    "records trigger_source %s",
    async (trigger_source) => {
      const ports = testPorts();
      const outcome = await activateKillSwitch(ports, OPERATOR, activation({ trigger_source }));
      expect(outcome).toMatchObject({ answer: { trigger_source } });
      expect(ports.database.auditRows).toMatchObject([{ trigger_source }]);
    },
  );
});

describe("a repeated activation", () => {
  it("changes nothing, and asks the gateways whether the first is in force", async () => {
    const ports = testPorts();
    await activateKillSwitch(ports, OPERATOR, activation());
    const again = await activateKillSwitch(ports, OPERATOR, activation({ reason: "other", ttl_seconds: 5 }));
    expect(again).toMatchObject({
      kind: "existing",
      answer: { kill_switch_id: "ks_1", reason: "runaway", expires_at: null, enforced: true },
    });
    expect(again).toHaveProperty(
      "answer.note",
      expect.stringMatching(/already active.*never shortens.*DELETE/),
    );
    expect(again).toHaveProperty("answer.extended", false);
    const probe = { org: "acme", scope: "agent", targetId: "a-1" };
    expect(ports.propagation.probed).toEqual([probe, probe]);
    expect(ports.database.auditRows).toHaveLength(1);
    expect(ports.time.pending).toBe(0);
  });

  // proves KILL-34
  it.each([
    ["later", 60, "2026-01-01T00:01:00.000Z"],
    ["none", null, null],
  ])(
    "that asks for a longer life (%s) extends the switch: stored, audited, announced",
    async (_name, ttl_seconds, expires_at) => {
      const ports = testPorts();
      await activateKillSwitch(ports, OPERATOR, activation({ ttl_seconds: 2 }));
      const wish = activation({ ttl_seconds, reason: "worse", activated_by: "second" });
      const again = await activateKillSwitch(ports, OPERATOR, wish);
      expect(again).toMatchObject({
        kind: "extended",
        answer: { kill_switch_id: "ks_1", reason: "runaway", expires_at, extended: true, enforced: true },
      });
      expect(ports.database.auditRows[1]).toMatchObject({
        action: "extended",
        kill_switch_id: "ks_1",
        actor: "second",
        reason: "worse",
        expires_at,
      });
      expect(ports.propagation.announced).toEqual([1, 2]);
      expect(ports.informed).toEqual(["kill switch activated", "kill switch extended"]);
      await ports.followed.catchUp();
      await ports.time.advance(59_999);
      expect(ports.database.killSwitches.get("ks_1")?.entity.status).toBe("active");
      await ports.time.advance(1);
      expect(ports.database.killSwitches.get("ks_1")?.entity.status).toBe(
        ttl_seconds === null ? "active" : "inactive",
      );
      expect(ports.time.pending).toBe(0);
    },
  );

  // proves KILL-13
  it("with the same wish, sent again after a lost answer, changes nothing", async () => {
    const ports = testPorts();
    const wish = activation({ ttl_seconds: 60 });
    await activateKillSwitch(ports, OPERATOR, wish);
    await ports.time.advance(999);
    const again = await activateKillSwitch(ports, OPERATOR, wish);
    expect(again).toMatchObject({ kind: "existing", answer: { expires_at: "2026-01-01T00:01:00.000Z" } });
    expect(again).toHaveProperty("answer.note", expect.not.stringContaining("sooner"));
    await ports.time.advance(1);
    expect(await activateKillSwitch(ports, OPERATOR, wish)).toMatchObject({ kind: "extended" });
  });

  it("whose switch ends meanwhile makes a new one", async () => {
    const ports = testPorts();
    await activateKillSwitch(ports, OPERATOR, activation({ ttl_seconds: 2 }));
    await ports.followed.catchUp();
    ports.database.before = async (call) => {
      if (call !== "extendKillSwitch") return;
      ports.database.before = async () => {};
      await ports.time.advance(2_000);
    };
    const again = await activateKillSwitch(ports, OPERATOR, activation());
    expect(again).toMatchObject({ kind: "activated", answer: { kill_switch_id: "ks_2" } });
    expect(ports.database.killSwitches.get("ks_2")?.entity.status).toBe("active");
  });

  it.each(["before", "after"] as const)(
    "says that it did not extend, and ends when the store says, when the store fails %s writing",
    async (when) => {
      const ports = testPorts();
      await activateKillSwitch(ports, OPERATOR, activation({ ttl_seconds: 2 }));
      ports.database[when] = async (call) => {
        if (call === "extendKillSwitch") throw new Error("connection lost");
      };
      const again = await activateKillSwitch(ports, OPERATOR, activation({ ttl_seconds: 60 }));
      expect(again).toMatchObject({
        problem: { code: "unavailable", detail: expect.stringContaining("NOT extended") },
      });
      await ports.followed.catchUp();
      await ports.time.advance(2_000);
      const status = () => ports.database.killSwitches.get("ks_1")?.entity.status;
      expect(status()).toBe(when === "before" ? "inactive" : "active");
      await ports.time.advance(58_000);
      expect(status()).toBe("inactive");
    },
  );

  it("K3: of another organization is a switch of its own", async () => {
    const ports = testPorts();
    await activateKillSwitch(ports, OPERATOR, activation());
    const other = await activateKillSwitch(ports, STRANGER, activation());
    expect(other).toMatchObject({ kind: "activated", answer: { kill_switch_id: "ks_2" } });
    expect(ports.database.auditRows.map(({ org }) => org)).toEqual(["acme", "other"]);
  });

  it("does not claim enforcement when the gateways cannot be asked", async () => {
    const ports = testPorts();
    await activateKillSwitch(ports, OPERATOR, activation());
    ports.propagation.before = () => Promise.reject(new Error("cut"));
    const again = await activateKillSwitch(ports, OPERATOR, activation());
    const answer = { enforced: false, gateways: [], lease_ends_at: expect.any(String) };
    expect(again).toMatchObject({ kind: "existing", answer });
  });
});

describe("a target that nobody has seen", () => {
  const since = "2026-01-01T00:00:00.000Z";

  // proves KILL-36
  it.each([
    [
      {},
      { seen: false, nearest: "a-11", since },
      "No call from agent a-1 was seen since",
      "Did you mean a-11?",
    ],
    [{ scope: "tool" }, { seen: false, nearest: null, since }, "No call of tool a-1", "started."],
    [{ dry_run: true }, { seen: false, nearest: null, since }, "No call from agent a-1", "started."],
  ] as const)("is warned of in the answer: %j %j", async (known, sighting, said, hint) => {
    const ports = testPorts();
    ports.propagation.sighting = sighting;
    const outcome = await activateKillSwitch(ports, OPERATOR, activation(known));
    expect(outcome).toHaveProperty("answer.warning", expect.stringContaining(said));
    expect(outcome).toHaveProperty("answer.warning", expect.stringContaining(hint));
  });

  it.each([
    ["was seen", {}, { seen: true, nearest: null, since }],
    ["may have been forgotten", {}, { seen: null, nearest: "a-11", since }],
    ["is everything", { account_wide: true }, { seen: false, nearest: null, since }],
  ] as const)("is not claimed of one that %s", async (_name, known, sighting) => {
    const ports = testPorts();
    ports.propagation.sighting = sighting;
    const outcome = await activateKillSwitch(ports, OPERATOR, activation(known));
    expect(outcome).not.toHaveProperty("answer.warning");
  });
});

describe("what an activation says about enforcement", () => {
  // proves KILL-35
  it("counts propagation_ms from activated_at, over the store, to the slowest gateway", async () => {
    const ports = testPorts();
    ports.database.before = async (call) => {
      if (call === "activateKillSwitch") await ports.time.advance(30);
    };
    const outcome = await activateKillSwitch(ports, OPERATOR, activation());
    expect(outcome).toMatchObject({ answer: { activated_at: NOW, propagation_ms: 33 } });
  });

  // proves KILL-22
  it.each([
    ["all answered", [3, 41.2], { enforced: true, propagation_ms: 42 }, null],
    ["one is silent", [7, null], { enforced: false, propagation_ms: 7 }, "gw-1"],
    ["all are silent", [null, null], { enforced: false, propagation_ms: null }, "gw-0, gw-1"],
    ["none is known", [], { enforced: false, propagation_ms: null }, "any gateway"],
  ] as const)("S7: only what was acknowledged: %s", async (_name, acknowledged, claims, silent) => {
    const ports = testPorts();
    ports.propagation.gateways = acknowledged.map((acknowledged_ms, index) => ({
      id: `gw-${String(index)}`,
      acknowledged_ms,
    }));
    const outcome = await activateKillSwitch(ports, OPERATOR, activation());
    expect(outcome).toMatchObject({
      kind: "activated",
      answer: { ...claims, gateways: ports.propagation.gateways },
    });
    const note = (outcome as { answer: { note?: string } }).answer.note;
    if (silent === null) expect(note).toBeUndefined();
    else expect(note).toContain(`No acknowledgement from ${silent} so far`);
    expect(ports.database.killSwitches.get("ks_1")?.entity.propagation_ms).toBe(claims.propagation_ms);
  });

  it("has the gateways say who is affected while they acknowledge, at the same revision", async () => {
    const ports = testPorts();
    const { gateways, sighting } = ports.propagation;
    const announce = vi.spyOn(ports.propagation, "announceSwitch").mockImplementation(() => {
      const probed = { gateways, affected: { agents: ["a-1"], sessions: [] }, sighting };
      return { acknowledged: Promise.resolve(gateways), probed: Promise.resolve(probed) };
    });
    const outcome = await activateKillSwitch(ports, OPERATOR, activation());
    expect(announce.mock.calls).toMatchObject([[{ killSwitchId: "ks_1", revision: 1 }]]);
    expect(outcome).toMatchObject({ answer: { enforced: true, affected: { agents: ["a-1"] } } });
  });

  it("S7: a failed announcement leaves a stored switch that is not called enforced", async () => {
    const ports = testPorts();
    ports.propagation.before = () => Promise.reject(new Error("cut"));
    const outcome = await activateKillSwitch(ports, OPERATOR, activation());
    expect(outcome).toMatchObject({
      kind: "activated",
      answer: { status: "active", enforced: false, propagation_ms: null, gateways: [] },
    });
    const leaseEnd = new Date(ports.time.now().getTime() + 1_500).toISOString();
    expect(outcome).toHaveProperty("answer.lease_ends_at", leaseEnd);
    expect(outcome).toHaveProperty("answer.note", expect.stringContaining(`1,500 ms, at ${leaseEnd}`));
    expect(ports.logged).toHaveLength(2);
  });

  it("S7: an announcement that never returns is answered all the same", async () => {
    const ports = testPorts();
    ports.propagation.before = () => new Promise(() => {});
    const answer = activateKillSwitch(ports, OPERATOR, activation());
    await ports.time.advance(0);
    await ports.time.advance(1_000);
    expect(await answer).toMatchObject({ kind: "activated", answer: { enforced: false } });
  });

  it("a measurement that cannot be noted does not undo the answer", async () => {
    const ports = testPorts();
    ports.database.before = async (call) => {
      if (call === "recordPropagation") throw new Error("disk full");
    };
    const outcome = await activateKillSwitch(ports, OPERATOR, activation());
    expect(outcome).toMatchObject({ kind: "activated", answer: { enforced: true, propagation_ms: 3 } });
    expect(ports.logged).toHaveLength(1);
  });
});

describe("an activation that does not take place", () => {
  it("says plainly that the kill is not in force when the store fails", async () => {
    const ports = testPorts();
    ports.database.before = () => Promise.reject(new Error("disk full"));
    const outcome = await activateKillSwitch(ports, OPERATOR, activation());
    expect(outcome).toMatchObject({ kind: "problem", problem: { code: "unavailable" } });
    expect(outcome).toHaveProperty("problem.detail", expect.stringContaining("NOT in force"));
    expect(JSON.stringify(outcome)).not.toContain("disk full");
    expect(ports.propagation.announced).toEqual([]);
  });

  // proves KILL-29
  it("S8: is refused with limit_reached when too many are active", async () => {
    const ports = testPorts();
    ports.database.limits.activeKillSwitches = 1;
    await activateKillSwitch(ports, OPERATOR, activation());
    const outcome = await activateKillSwitch(ports, OPERATOR, activation({ target_id: "a-2" }));
    expect(outcome).toMatchObject({ kind: "problem", problem: { code: "limit_reached" } });
    expect(ports.database.auditRows).toHaveLength(1);
  });

  it("still ends in time when its write happened but was not confirmed", async () => {
    const ports = testPorts();
    ports.database.after = () => Promise.reject(new Error("connection lost"));
    const outcome = await activateKillSwitch(ports, OPERATOR, activation({ ttl_seconds: 1 }));
    expect(outcome).toMatchObject({ kind: "problem", problem: { code: "unavailable" } });
    ports.database.after = async () => {};
    await ports.followed.catchUp();
    expect(ports.database.killSwitches.get("ks_1")?.entity.status).toBe("active");
    await ports.time.advance(1_000);
    expect(ports.database.killSwitches.get("ks_1")?.entity.status).toBe("inactive");
  });
});

describe("a dry run", () => {
  const dryRun = activation({ dry_run: true, ttl_seconds: 60 });

  it("reports gateways, time and who is affected, and leaves nothing but its audit row", async () => {
    const ports = testPorts();
    const outcome = await activateKillSwitch(ports, OPERATOR, dryRun);
    expect(outcome).toEqual({
      kind: "dry_run",
      answer: {
        kind: "dry_run",
        dry_run: true,
        enforced: false,
        scope: "agent",
        target_id: "a-1",
        account_wide: false,
        propagation_ms: 3,
        gateways: [{ id: "gw-1", acknowledged_ms: 3 }],
        affected: {
          agents: ["a-1"],
          sessions: ["s-1"],
          complete: true,
          calls_per_hour: 7,
          calls_in_flight: 2,
        },
      },
    });
    expect(ports.database.auditRows).toMatchObject([
      { kind: "kill_switch", action: "dry_run", actor: "on-call" },
    ]);
    expect([ports.database.events, [...ports.database.killSwitches], ports.time.pending]).toEqual([
      [],
      [],
      0,
    ]);
  });

  it.each([
    [
      { scope: "session", target_id: "s-1" },
      { scope: "session", targetId: "s-1" },
    ],
    [
      { scope: "global", target_id: null, account_wide: true },
      { scope: "account", targetId: null },
    ],
    [
      { scope: "tool", target_id: "t", account_wide: true },
      { scope: "account", targetId: null },
    ],
  ] as const)("probes for whom the switch would stop: %j", async (target, probed) => {
    const ports = testPorts();
    await activateKillSwitch(ports, OPERATOR, { ...dryRun, ...target });
    expect(ports.propagation.probed).toEqual([{ org: "acme", ...probed }]);
  });

  it("reports a broken path, which is its purpose", async () => {
    const ports = testPorts();
    ports.propagation.before = () => Promise.reject(new Error("cut"));
    const outcome = await activateKillSwitch(ports, OPERATOR, dryRun);
    expect(outcome).toMatchObject({
      kind: "dry_run",
      answer: { gateways: [], affected: { agents: [], complete: true }, propagation_ms: null },
    });
  });

  it("is not carried out without its audit row", async () => {
    const ports = testPorts();
    ports.database.before = () => Promise.reject(new Error("disk full"));
    const outcome = await activateKillSwitch(ports, OPERATOR, dryRun);
    expect(outcome).toMatchObject({ kind: "problem", problem: { code: "unavailable" } });
    expect(ports.propagation.probed).toEqual([]);
  });
});
