import { adminPrincipal } from "@svc/contract/testing/principals";
import { describe, expect, it } from "vitest";
import { OPERATOR, testPorts } from "../testing/test-ports.ts";
import { getAgent } from "./get-agent.ts";
import { liftQuarantine } from "./lift-quarantine.ts";
import { quarantineAgent } from "./quarantine-agent.ts";
import { QuarantineExpiry } from "./quarantine-expiry.ts";
import { registerAgent } from "./register-agent.ts";
import { removeAgent } from "./remove-agent.ts";

const BOT = {
  id: "bot",
  name: "Bot",
  namespace: "payments",
  provider: null,
  tags: [],
  capabilities: [],
  parent_agent_id: null,
};

const REQUEST = { reason: "odd calls", quarantined_by: "on-call", ttl_seconds: null, dry_run: false };

async function withBot() {
  const nobody = async () => ({ agents: [], behind: [] });
  const auditIndex = { agents: nobody, agentSessions: () => Promise.reject(new Error("not here")) };
  const ports = { ...testPorts(), auditIndex };
  await registerAgent(ports, OPERATOR, BOT);
  const quarantine = async (ttl_seconds: number | null = null) =>
    quarantineAgent(ports, OPERATOR, { id: "bot", request: { ...REQUEST, ttl_seconds } });
  const lift = async () =>
    liftQuarantine(ports, OPERATOR, { id: "bot", lift: { reason: "a test", lifted_by: "on-call" } });
  const actions = () => ports.database.auditRows.map((row) => ("action" in row ? row.action : row.kind));
  return { ports, quarantine, lift, actions };
}

describe("a quarantine", () => {
  // proves AGT-05
  it("is put and lifted, each with an audit row that says who and why", async () => {
    const { ports, quarantine, lift, actions } = await withBot();
    expect(await quarantine()).toMatchObject({
      kind: "quarantined",
      answer: {
        quarantine: { reason: "odd calls", quarantined_by: "on-call", expires_at: null },
        enforced: true,
        extended: false,
        affected: { sessions: ["s-1"] },
      },
    });
    expect(ports.database.events.at(-1)?.change).toMatchObject({ record: { quarantine: { until: null } } });
    expect(await removeAgent(ports, OPERATOR, "bot")).toMatchObject({ problem: { code: "conflict" } });
    expect(await lift()).toMatchObject({ value: { quarantine: null, enforced: true } });
    expect(await lift()).toMatchObject({ value: { quarantine: null } });
    expect(actions()).toEqual(["registered", "quarantined", "quarantine_lifted"]);
    expect(ports.database.auditRows[1]).toMatchObject({ reason: "odd calls", actor: "on-call" });
  });

  it("gets a later end by a repeat, and never an earlier one", async () => {
    const { quarantine, actions } = await withBot();
    await quarantine(60);
    expect(await quarantine(30)).toMatchObject({ kind: "existing", answer: { extended: false } });
    expect(await quarantine(600)).toMatchObject({ kind: "existing", answer: { extended: true } });
    expect(await quarantine()).toMatchObject({
      answer: { extended: true, quarantine: { expires_at: null } },
    });
    expect(await quarantine(600)).toMatchObject({ answer: { extended: false } });
    expect(actions()).toEqual(["registered", "quarantined", "quarantine_extended", "quarantine_extended"]);
  });

  it("is not reported as enforced by a repeat before gateways act by it", async () => {
    const { ports, quarantine, lift } = await withBot();
    await quarantine();
    const quarantined = ports.database.events.at(-1)?.revision;
    await quarantine();
    expect(ports.propagation.announced.at(-1)).toBe(quarantined);
    await lift();
    await lift();
    expect(ports.propagation.announced.at(-1)).toBe(ports.database.events.at(-1)?.revision);
  });

  // proves AGT-09
  it("ends by itself when its time is over, at the process that leads", async () => {
    const { ports, quarantine, actions } = await withBot();
    const expiry = new QuarantineExpiry(ports);
    ports.lead.isHeld = false;
    await quarantine(60);
    for (const event of ports.database.events) expiry.apply(event);
    await ports.time.advance(61_000);
    expect(actions().at(-1)).toBe("quarantined");
    ports.lead.isHeld = true;
    await ports.time.advance(1_000);
    await expiry.stop();
    expect(actions().at(-1)).toBe("quarantine_expired");
    expect(await getAgent(ports, OPERATOR, "bot")).toMatchObject({ value: { quarantine: null } });
    expect(ports.database.auditRows.at(-1)).toMatchObject({
      principal: "ttl_expiry",
      trigger_source: "ttl_expiry",
    });
  });

  it("does not end by an end that was moved", async () => {
    const { ports, quarantine, actions } = await withBot();
    const expiry = new QuarantineExpiry(ports);
    await quarantine(60);
    const known = ports.database.events;
    await quarantine(600);
    for (const event of known) expiry.apply(event);
    await ports.time.advance(61_000);
    await expiry.stop();
    expect(actions().at(-1)).toBe("quarantine_extended");
  });

  it("of another agent is out of reach of a bound key", async () => {
    const { ports } = await withBot();
    const bound = adminPrincipal({ org: "acme", role: "operator", agents: new Set(["other"]) });
    expect(await quarantineAgent(ports, bound, { id: "bot", request: REQUEST })).toMatchObject({
      problem: { code: "forbidden" },
    });
  });
});
