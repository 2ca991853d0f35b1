import type { AlertRow } from "@svc/contract/alert-row";
import { processSignsSchema } from "@svc/contract/process-signs";
import type { NewAnomaly } from "@svc/store/ports/anomaly-store";
import { describe, expect, it } from "vitest";
import type { ContainedAgent } from "../rogue/supervision-view.ts";
import { OPERATOR, STRANGER, type TestPorts, testPorts } from "../testing/test-ports.ts";
import { AlertWork } from "./alert-work.ts";
import { acknowledgeAlert, getAlert, listAlerts } from "./alerts.ts";

const BOT: ContainedAgent = {
  org: "acme",
  agentId: "bot",
  sessions: [{ sessionId: "s-1", severity: "CRITICAL" }],
};

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Agents that are contained now. A test changes them. */
class World {
  readonly ports: TestPorts = testPorts();
  contained: readonly ContainedAgent[] = [];

  start(): AlertWork {
    const work = new AlertWork({
      ...this.ports,
      contained: () => this.contained,
      news: () => null,
      endpoints: async () => [],
    });
    work.start();
    return work;
  }

  /** Each row of an alert as `<action> <condition> <subject>`. */
  get rows(): readonly string[] {
    return this.ports.database.auditRows
      .filter((row): row is AlertRow => row.kind === "alert")
      .map(({ action, condition, subject }) => `${action} ${condition} ${subject}`);
  }

  async anomaly(changes: Partial<NewAnomaly> = {}): Promise<void> {
    await this.ports.anomalies.recordAnomaly({
      org: "acme",
      agentId: "bot",
      namespace: "default",
      sessionId: null,
      anomaly: "call_burst",
      subject: "",
      atMs: this.ports.time.now().getTime(),
      quietMs: 0,
      explanation: "made 60 calls in one minute",
      auditRow: '{"kind":"anomaly"}',
      raise: null,
      ...changes,
    });
  }

  async only() {
    const listed = await listAlerts(this.ports, OPERATOR, { status: null, page: { limit: 10, after: null } });
    if (listed.kind !== "ok") throw new Error("expected a list");
    const [alert] = listed.value.items;
    if (alert === undefined || listed.value.items.length > 1) throw new Error("expected one alert");
    return alert;
  }
}

const SEVERITY_ROWS = [
  "opened agent_severity bot",
  "acknowledged agent_severity bot",
  "resolved agent_severity bot",
];

// proves ALERT-01, ALERT-03, ALERT-05
describe("AlertWork", () => {
  it("opens an alert, leaves it open when it is acknowledged, and resolves it by itself", async () => {
    const world = new World();
    const { ports } = world;
    const work = world.start();
    world.contained = [BOT];
    await ports.time.advance(5 * SECOND_MS);
    const { id } = await world.only();
    expect(work.countOpen()).toMatchObject({ agent_severity: 1, disk_low: 0 });
    const acknowledged = await acknowledgeAlert(ports, OPERATOR, { id, note: "I look at it." });
    expect(acknowledged).toMatchObject({
      value: { status: "acknowledged", acknowledged_by: OPERATOR.id, note: "I look at it." },
    });
    expect(await acknowledgeAlert(ports, OPERATOR, { id, note: null })).toEqual(acknowledged);
    await ports.time.advance(MINUTE_MS);
    world.contained = [];
    await ports.time.advance(10 * SECOND_MS);
    const resolved = await world.only();
    expect(resolved).toMatchObject({ id, status: "resolved", note: "I look at it." });
    expect(resolved.resolved_at).not.toBeNull();
    expect(await acknowledgeAlert(ports, OPERATOR, { id, note: null })).toMatchObject({ value: resolved });
    expect(world.rows).toEqual(SEVERITY_ROWS);
    expect(work.countOpen()).toMatchObject({ agent_severity: 0 });
    await work.stop();
  });

  // proves ALERT-09
  it("says that the severity has become worse, also when it is acknowledged", async () => {
    const world = new World();
    const { ports } = world;
    const work = world.start();
    world.contained = [BOT];
    await ports.time.advance(5 * SECOND_MS);
    const { id } = await world.only();
    await acknowledgeAlert(ports, OPERATOR, { id, note: "I look at it." });
    world.contained = [{ ...BOT, sessions: [{ sessionId: "s-1", severity: "EMERGENCY" }, ...BOT.sessions] }];
    await ports.time.advance(MINUTE_MS);
    expect(await world.only()).toMatchObject({
      id,
      status: "acknowledged",
      note: "I look at it.",
      summary: "A session of the agent bot is at EMERGENCY: its calls are denied.",
      details: { severity: "EMERGENCY", sessions: 2 },
    });
    expect(world.rows).toEqual([...SEVERITY_ROWS.slice(0, 2), "changed agent_severity bot"]);
    await work.stop();
  });

  it("shows an alert to its organization alone", async () => {
    const world = new World();
    const work = world.start();
    world.contained = [BOT];
    await world.ports.time.advance(5 * SECOND_MS);
    const { id } = await world.only();
    const page = { limit: 10, after: null };
    expect(await listAlerts(world.ports, STRANGER, { status: null, page })).toMatchObject({
      value: { items: [] },
    });
    for (const asked of [
      getAlert(world.ports, STRANGER, id),
      acknowledgeAlert(world.ports, STRANGER, { id, note: null }),
    ])
      expect(await asked).toMatchObject({ problem: { code: "not_found" } });
    expect(world.rows).toEqual(["opened agent_severity bot"]);
    await work.stop();
  });

  it("opens nothing twice and loses no end when another process goes on", async () => {
    const world = new World();
    world.contained = [BOT];
    // Two that believe to lead.
    world.start();
    world.start();
    await world.ports.time.advance(5 * SECOND_MS);
    expect(world.rows).toEqual(["opened agent_severity bot"]);
    world.ports.lead.isHeld = false;
    await world.ports.time.advance(MINUTE_MS);
    world.ports.lead.isHeld = true;
    world.contained = [];
    await world.ports.time.advance(10 * SECOND_MS);
    expect(world.rows).toEqual(["opened agent_severity bot", "resolved agent_severity bot"]);
  });

  it("does nothing while another process leads", async () => {
    const world = new World();
    world.ports.lead.isHeld = false;
    world.contained = [BOT];
    const work = world.start();
    await world.ports.time.advance(MINUTE_MS);
    expect(world.rows).toEqual([]);
    expect(work.countOpen()).toMatchObject({ agent_severity: 0 });
    await work.stop();
  });

  it.each(["before", "after"] as const)("opens it once when the store fails %s the write", async (when) => {
    const world = new World();
    const { database, time, logged } = world.ports;
    let failures = 2;
    database[when] = async (call) => {
      if (call === "open" && failures-- > 0) throw new Error("no disk");
    };
    world.contained = [BOT];
    const work = world.start();
    await time.advance(20 * SECOND_MS);
    expect(world.rows).toEqual(["opened agent_severity bot"]);
    expect(logged.filter((line) => line.startsWith("alerts could not be"))).toHaveLength(1);
    await work.stop();
  });
});

// proves ALERT-04
describe("anomalies, when the clock of the machine jumps", () => {
  const OPENED = "opened agent_anomaly bot";
  const RESOLVED = "resolved agent_anomaly bot";

  it.each([
    ["forward", HOUR_MS],
    ["back", -HOUR_MS],
  ])("%s, open and close no alert of their own", async (_, jumpMs) => {
    const world = new World();
    const { time } = world.ports;
    const work = world.start();
    await time.advance(4 * SECOND_MS);
    await world.anomaly();
    await time.advance(4 * SECOND_MS);
    expect(world.rows).toEqual([OPENED]);
    time.wallEpochMs += jumpMs;
    await time.advance(14 * MINUTE_MS);
    expect(world.rows).toEqual([OPENED]);
    await time.advance(2 * MINUTE_MS);
    expect(world.rows).toEqual([OPENED, RESOLVED]);
    await time.advance(20 * MINUTE_MS);
    expect(world.rows).toEqual([OPENED, RESOLVED]);
    await world.anomaly({ subject: "next" });
    await time.advance(4 * SECOND_MS);
    expect(world.rows).toEqual([OPENED, RESOLVED, OPENED]);
    await work.stop();
  });

  it.each([
    ["of the last minutes is told by the process that starts", 5 * MINUTE_MS, [OPENED]],
    ["of an hour ago is not", HOUR_MS, []],
    ["from before the clock was set back is not", -HOUR_MS, []],
  ])("one %s", async (_, agoMs, rows) => {
    const world = new World();
    const { time } = world.ports;
    await world.anomaly({ atMs: time.now().getTime() - agoMs });
    const work = world.start();
    await time.advance(4 * SECOND_MS);
    expect(world.rows).toEqual(rows);
    await work.stop();
  });
});

// proves ALERT-02
it("keeps conditions of the server in the first organization, and judges the rest without them", async () => {
  const world = new World();
  const signs = processSignsSchema.parse({ disk_free: 0.01 });
  let isRead = true;
  const processes = async () => {
    if (!isRead) throw new Error("no database");
    return [{ id: "gw-1", host: "h", isGateway: true, isLiving: true, signs }];
  };
  const work = new AlertWork({
    ...world.ports,
    processes,
    contained: () => world.contained,
    news: () => null,
    endpoints: async () => [],
  });
  work.start();
  await world.ports.time.advance(40 * SECOND_MS);
  expect(await world.ports.alerts.unresolved()).toMatchObject([
    { org: "default", record: { condition: "disk_low" } },
  ]);
  isRead = false;
  world.contained = [BOT];
  await world.ports.time.advance(10 * MINUTE_MS);
  expect(world.rows).toEqual(["opened disk_low gw-1", "opened agent_severity bot"]);
  await work.stop();
});
