import { MAX_HELD_CALLS_PER_AGENT } from "@svc/contract/held-call-limits";
import type { Severity } from "@svc/contract/severity";
import type { Verdict } from "@svc/contract/verdict";
import { beforeEach, describe, expect, it } from "vitest";
import { executeOnce } from "../execute.ts";
import { call, received, type TestGateway, testGateway } from "../testing/test-gateway.ts";

const POLICY = "id: p\ntools: { allowed: ['payments.*'] }\n";

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await testGateway();
  gateway.feed.putPolicy("p", POLICY, { agent_id: "agent-1" });
  await gateway.follower.catchUp();
});

async function reach(severity: Severity, sessionId = "s-1"): Promise<void> {
  gateway.feed.putSeverity(severity, "agent-1", sessionId);
  await gateway.follower.catchUp();
}

const idOf = (verdict: Verdict): string =>
  verdict.decision === "pause" ? (verdict.approval_url.split("/").at(-1) ?? "") : verdict.decision;
const lastRow = () => gateway.rows().at(-1);
const codeOf = (verdict: Verdict | null) =>
  verdict === null || verdict.decision === "allow" ? (verdict?.decision ?? null) : verdict.reason_code;

describe("the calls of a session", () => {
  // proves HELD-02
  it("pass at WARNING, are held at CRITICAL, denied at EMERGENCY, and pass again at INFO", async () => {
    await reach("WARNING");
    expect((await gateway.execute()).decision).toBe("allow");
    await reach("CRITICAL");
    expect(await gateway.execute()).toMatchObject({
      decision: "pause",
      reason_code: "agent_suspended",
      approval_url: expect.stringMatching(/^http:\/\/svc\.example\/approvals\/hld_/) as string,
    });
    expect(lastRow()).toMatchObject({ decision: "pause", reason_code: "agent_suspended", policy_id: null });
    await reach("EMERGENCY");
    const denied = { decision: "deny", reason_code: "severity_emergency", fail_closed: false };
    expect(await gateway.execute()).toMatchObject(denied);
    expect(lastRow()).toMatchObject(denied);
    await reach("INFO");
    expect((await gateway.execute()).decision).toBe("allow");
  });

  // proves HELD-02
  it("are stopped in every governance mode", async () => {
    for (const [index, mode] of ["audit_only", "shadow"].entries()) {
      const source = `${POLICY}governance_mode: ${mode}\n`;
      gateway.feed.put({ kind: "policy", policyId: "p", version: index + 2, enabled: true, source });
      await reach("CRITICAL");
      expect(codeOf(await gateway.execute())).toBe("agent_suspended");
      await reach("EMERGENCY");
      expect(codeOf(await gateway.execute())).toBe("severity_emergency");
    }
  });

  it("are judged by their own session, and without a session by the worst one of the agent", async () => {
    await reach("CRITICAL");
    expect((await gateway.execute({ session_id: "s-2" })).decision).toBe("allow");
    expect((await gateway.execute({ agent_id: "agent-2" })).decision).toBe("deny");
    expect(codeOf(await gateway.execute({ agent_id: "agent-2" }))).toBe("no_policy");
    expect(codeOf(await gateway.execute({ session_id: null }))).toBe("agent_suspended");
    await reach("EMERGENCY", "s-2");
    expect(codeOf(await gateway.execute({ session_id: null }))).toBe("severity_emergency");
    expect(codeOf(await gateway.execute())).toBe("agent_suspended");
  });

  it("get the reason that is true of them, with a session and without", async () => {
    const reasonOf = async (sessionId: string | null, n = 0) => {
      const verdict = await gateway.execute({ session_id: sessionId, args: { n } });
      return verdict.decision === "allow" ? "allow" : verdict.reason;
    };
    await reach("CRITICAL");
    expect(await reasonOf("s-1")).toBe(
      "rogue detection suspends session s-1; its calls are held until it recovers or is terminated",
    );
    expect(await reasonOf(null)).toBe(
      "rogue detection suspends a session of agent agent-1, and this call names no session; it is held " +
        "until every session of the agent has recovered, or one is terminated",
    );
    for (let n = 1; n < MAX_HELD_CALLS_PER_AGENT; n += 1) await reasonOf("s-1", n);
    const limit = `${String(MAX_HELD_CALLS_PER_AGENT)} calls of the agent are held, which is the limit`;
    expect(await reasonOf("s-1", -1)).toBe(`rogue detection suspends session s-1, and ${limit}`);
    expect(await reasonOf(null, -1)).toBe(
      `rogue detection suspends a session of agent agent-1, this call names no session, and ${limit}`,
    );
    await reach("EMERGENCY");
    expect(await reasonOf("s-1")).toBe(
      "rogue detection terminated session s-1; an operator must register agent agent-1 again",
    );
    expect(await reasonOf(null)).toBe(
      "rogue detection terminated a session of agent agent-1, and this call names no session; an operator " +
        "must register agent agent-1 again",
    );
  });

  it("are denied when a kill switch stops them, whatever their severity is", async () => {
    await reach("CRITICAL");
    gateway.feed.putSwitch({ scope: "session", target_id: "s-1" });
    await gateway.follower.catchUp();
    expect(codeOf(await gateway.execute())).toBe("kill_switch");
  });

  // proves HELD-02
  it("are stopped when the severity rises while the row is written, and the allow is withdrawn", async () => {
    for (const severity of ["CRITICAL", "EMERGENCY"] as const) {
      await reach("INFO");
      gateway.ledger.beforeCommit = async () => {
        gateway.ledger.beforeCommit = async () => undefined;
        await reach(severity);
      };
      const verdict = await gateway.execute();
      expect(codeOf(verdict)).toBe(severity === "CRITICAL" ? "agent_suspended" : "severity_emergency");
      await gateway.withdrawals.drain();
      const withdrawn = gateway.rows().filter(({ kind }) => kind === "outcome");
      const allowed = gateway.rows().filter(({ decision }) => decision === "allow");
      expect(withdrawn.map(({ decision_id }) => decision_id)).toHaveLength(allowed.length);
    }
  });
});

describe("a held call", () => {
  // proves HELD-03
  it("is one however often it is repeated, and leaves a row each time", async () => {
    await reach("CRITICAL");
    const ids = new Set<string>();
    for (let n = 0; n < 5; n += 1) ids.add(idOf(await gateway.execute()));
    ids.add(idOf((await Promise.all([gateway.execute(), gateway.execute()]))[1]));
    expect(ids.size).toBe(1);
    const [id = ""] = ids;
    const rows = gateway.rows().filter(({ decision }) => decision === "pause");
    expect(rows).toHaveLength(7);
    expect(new Set(rows.map(({ approval_id }) => approval_id))).toEqual(ids);
    const stored = await gateway.ledger.store.heldCalls.heldCall("default", id);
    const { revision } = gateway.parts.control.state;
    expect(stored).toMatchObject({ agentId: "agent-1", sessionId: "s-1", status: "held", revision });
    expect(idOf(await gateway.execute({ args: { amount: 11 } }))).not.toBe(id);
  });

  // proves HELD-04
  it("is denied when the agent has as many as it may have, but for repeats", async () => {
    await reach("CRITICAL");
    for (let n = 0; n < MAX_HELD_CALLS_PER_AGENT; n += 1) {
      expect(codeOf(await gateway.execute({ args: { n } }))).toBe("agent_suspended");
    }
    const full = await gateway.execute({ args: { n: -1 } });
    expect(full).toMatchObject({ decision: "deny", reason_code: "held_calls_full", fail_closed: false });
    expect(codeOf(await gateway.execute({ args: { n: 0 } }))).toBe("agent_suspended");
  });

  // proves HELD-06
  it("is decided anew under its Idempotency-Key once the severity allows it", async () => {
    const once = (idempotencyKey: string) =>
      executeOnce(gateway.parts, received(call()), { idempotencyKey, bodyDigest: "d" });
    for (const [severity, code] of [
      ["CRITICAL", "agent_suspended"],
      ["EMERGENCY", "severity_emergency"],
    ] as const) {
      await reach(severity);
      for (const _ of [1, 2]) expect(codeOf(await once(severity))).toBe(code);
      await reach("INFO");
      const first = await once(severity);
      expect(codeOf(first)).toBe("allow");
      expect(await once(severity)).toMatchObject({ decision_id: first?.decision_id });
      await reach(severity);
      expect(codeOf(await once(severity))).toBe(code);
      await reach("INFO");
    }
  });
});
