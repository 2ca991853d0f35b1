import type { Severity } from "@svc/contract/severity";
import { adminPrincipal } from "@svc/contract/testing/principals";
import { loadAtOnce } from "@svc/control-feed/testing/load-at-once";
import { entry, heldCallClaim } from "@svc/store/testing/records";
import { beforeEach, describe, expect, it } from "vitest";
import { TestDatabase } from "../testing/test-database.ts";
import { testPorts } from "../testing/test-ports.ts";
import { getHeldCall } from "./get-held-call.ts";
import { HeldCallKeeper } from "./held-call-keeper.ts";
import { listHeldCalls } from "./list-held-calls.ts";

const ORG = "default";
const ADMIN = adminPrincipal();

let ports: ReturnType<typeof testPorts>;
let keeper: HeldCallKeeper;
let revision: number;

beforeEach(() => {
  ports = testPorts(new TestDatabase());
  keeper = new HeldCallKeeper(ports);
  revision = 10;
  loadAtOnce(keeper, { revision, changes: [] });
});

async function reach(severity: Severity, sessionId = "s-1"): Promise<void> {
  revision += 1;
  const record = { agentId: "agent-1", sessionId, severity, since: "2026-01-01T00:00:00.000Z", reason: "" };
  keeper.apply({ revision, org: ORG, change: { kind: "severity", record } });
  await keeper.settled();
}

async function hold(n: number, changes: Partial<ReturnType<typeof heldCallClaim>> = {}): Promise<void> {
  const atMs = ports.clock.now().getTime() + n;
  const named = { heldCallId: `hld_${String(n)}`, callDigest: `call-${String(n)}`, sessionId: "s-1" };
  const times = { atMs, expiresAtMs: atMs + 60_000, revision };
  const holdsCall = heldCallClaim(ORG, { ...named, ...times, ...changes });
  expect(await ports.database.ledger.commit([entry("{}", { holdsCall })])).toMatchObject([
    { kind: "committed" },
  ]);
}

const statusOf = async (n: number) => {
  const found = await getHeldCall(ports, ADMIN, `hld_${String(n)}`);
  return found.kind === "ok" ? found.value.status : found.problem.code;
};
const ends = () =>
  ports.database.auditRows.flatMap((row) =>
    row.kind === "held_call" ? [`${row.action} ${row.held_call_id}`] : [],
  );

describe("HeldCallKeeper", () => {
  // proves HELD-08
  it("releases the calls of an agent that recovered, oldest first, each with a row", async () => {
    await reach("CRITICAL");
    for (const n of [2, 1, 3]) await hold(n);
    await reach("INFO");
    expect(ends()).toEqual(["released hld_1", "released hld_2", "released hld_3"]);
    expect(ports.database.auditRows.at(-1)).toMatchObject({
      principal: "rogue_detection",
      agent_id: "agent-1",
      session_id: "s-1",
      decision_id: expect.stringContaining(".") as string,
    });
    expect(await statusOf(1)).toBe("released");
  });

  // proves HELD-08
  it("revokes the calls of a terminated session, and leaves those of the others", async () => {
    await reach("CRITICAL");
    await reach("CRITICAL", "s-2");
    await hold(1);
    await hold(2, { sessionId: "s-2" });
    await hold(3, { sessionId: null });
    await reach("EMERGENCY");
    expect(ends()).toEqual(["revoked hld_1", "revoked hld_3"]);
    expect(await statusOf(2)).toBe("held");
  });

  // proves HELD-09
  it("notes which have expired, and shows them as expired before", async () => {
    await reach("CRITICAL");
    await hold(1);
    await ports.time.advance(60_001);
    expect(await statusOf(1)).toBe("expired");
    keeper.start();
    await ports.time.advance(5_001);
    await keeper.settled();
    await keeper.stop();
    expect(ends()).toEqual(["expired hld_1"]);
  });

  // proves HELD-08
  it("leaves a call that was held under a later control state than it knows", async () => {
    await hold(1, { revision: revision + 1 });
    loadAtOnce(keeper, { revision, changes: [] });
    await keeper.settled();
    expect(await statusOf(1)).toBe("held");
    revision += 1;
    loadAtOnce(keeper, { revision, changes: [] });
    await keeper.settled();
    expect(await statusOf(1)).toBe("released");
  });

  it("ends nothing while another process leads, and everything with the next look after that", async () => {
    await reach("CRITICAL");
    await hold(1);
    ports.lead.isHeld = false;
    await reach("INFO");
    expect(ends()).toEqual([]);
    ports.lead.isHeld = true;
    keeper.start();
    await ports.time.advance(5_001);
    await keeper.settled();
    expect(ends()).toEqual(["released hld_1"]);
    await keeper.stop();
  });

  it("tries again with the next look when the store does not answer", async () => {
    await reach("CRITICAL");
    await hold(1);
    ports.database.before = async (call) => {
      if (call.includes("endHeldCall")) throw new Error("no store");
    };
    await reach("INFO");
    expect(ends()).toEqual([]);
    ports.database.before = async () => {};
    await reach("INFO");
    expect(ends()).toEqual(["released hld_1"]);
  });
});

describe("a held call", () => {
  // proves HELD-05
  it("is shown to who asked and to readers of its agent, and does not exist for others", async () => {
    await reach("CRITICAL");
    await hold(1);
    const read = async (principal: typeof ADMIN) => {
      const found = await getHeldCall(ports, principal, "hld_1");
      return found.kind === "ok" ? "found" : found.problem.code;
    };
    const agent = {
      ...ADMIN,
      id: "key-9",
      role: "agent" as const,
      scopes: new Set(["approval:own" as const]),
    };
    expect(await read(agent)).toBe("not_found");
    expect(await read({ ...agent, id: "key-1" })).toBe("found");
    expect(await read({ ...ADMIN, agents: new Set(["agent-2"]) })).toBe("forbidden");
    expect(await read({ ...ADMIN, org: "other" })).toBe("not_found");
    const any = { status: null, agentId: null, sessionId: null, tool: null };
    const page = { limit: 10, after: null };
    const listed = async (principal: typeof ADMIN) => {
      const found = await listHeldCalls(ports, principal, { ...any, page });
      return found.kind === "ok" ? found.value.items.map(({ id }) => id) : found.problem.code;
    };
    expect(await listed(ADMIN)).toEqual(["hld_1"]);
    expect(await listed({ ...ADMIN, agents: new Set(["agent-2"]) })).toEqual([]);
    expect(await listed({ ...ADMIN, org: "other" })).toEqual([]);
  });
});
