import type { Verdict } from "@svc/contract/verdict";
import type { GovernedAgent } from "@svc/store/ports/governed-agent";
import { describe, expect, it, vi } from "vitest";
import { execute, executeOnce } from "./execute.ts";
import { call, received, type TestGateway, testGateway } from "./testing/test-gateway.ts";

const STATELESS = `id: p
tools: { allowed: ["pay.*"] }
rules:
  - id: cap-fee
    priority: 1
    match: { tool: pay.fee }
    action: constrain
    constrain: { max: { args.amount: 5 } }
  - { id: ask, priority: 2, match: { tool: pay.ask }, action: require_approval }
`;

const BUSY = `{ tool: pay.used, condition: { field: session.steps, operator: ">", value: 90 } }`;
const READS_USAGE = `${STATELESS}  - { id: busy, priority: 3, match: ${BUSY}, action: deny }\n`;
const SHADOW = "id: p\ngovernance_mode: shadow\ntools: { allowed: [nothing] }\n";

interface Case {
  readonly policy: string;
  readonly tool: string;
  readonly isNamed?: boolean;
  /** What the verdict is when nothing changes meanwhile. */
  readonly decision: Verdict["decision"];
}

/** Calls whose row is not the first thing that is awaited, or whose row may have other outcomes. */
const CASES: readonly (readonly [string, Case])[] = [
  ["an allow of the arguments as they came", { policy: STATELESS, tool: "pay.plain", decision: "allow" }],
  ["an allow with a key", { policy: STATELESS, tool: "pay.plain", isNamed: true, decision: "allow" }],
  ["an allow of rewritten arguments", { policy: STATELESS, tool: "pay.fee", decision: "allow" }],
  ["a pause", { policy: STATELESS, tool: "pay.ask", decision: "pause" }],
  ["an allow by what the session has used", { policy: READS_USAGE, tool: "pay.used", decision: "allow" }],
  ["a deny that the mode softens", { policy: SHADOW, tool: "pay.plain", decision: "allow" }],
];

const CHANGES: Readonly<Record<string, (gateway: TestGateway) => void>> = {
  kill_switch: ({ feed }) => void feed.putSwitch({}),
  severity_emergency: ({ feed }) => void feed.putSeverity("EMERGENCY"),
  agent_suspended: ({ feed }) => void feed.putSeverity("CRITICAL"),
  namespace_mismatch: ({ feed }) => register(feed, { namespace: "elsewhere", quarantine: null }),
  agent_quarantined: ({ feed }) => {
    const quarantine = { since: "2026-01-01T00:00:00.000Z", until: null };
    register(feed, { namespace: "default", quarantine });
  },
};

function register(feed: TestGateway["feed"], known: Omit<GovernedAgent, "id">): void {
  feed.put({ kind: "agent", record: { id: "agent-1", ...known }, removed: false });
}

async function decided({ policy, tool, isNamed }: Case, change: ((gateway: TestGateway) => void) | null) {
  const gateway = await testGateway();
  gateway.feed.putPolicy("p", policy, { agent_id: "agent-1" });
  await gateway.follower.catchUp();
  const looked = vi.spyOn(gateway.parts.control.state, "policyFor");
  const lookedAt: number[] = [];
  let changes = change === null ? 0 : 1;
  gateway.ledger.beforeCommit = async () => {
    lookedAt.push(looked.mock.calls.length);
    if (changes === 0) return;
    changes -= 1;
    change?.(gateway);
    await gateway.follower.catchUp();
  };
  const request = received(call({ tool, namespace: "default" }));
  const named = { idempotencyKey: "k1", bodyDigest: "d1" };
  const verdict = await (isNamed === true
    ? executeOnce(gateway.parts, request, named)
    : execute(gateway.parts, request));
  await gateway.withdrawals.drain();
  return { verdict, rows: gateway.rows(), lookedAt };
}

describe.each(CASES)("%s", (_what, ruled) => {
  it("is ruled on once: the policy is looked up once before the row is committed", async () => {
    const { verdict, lookedAt } = await decided(ruled, null);
    expect(verdict).toMatchObject({ decision: ruled.decision });
    expect(lookedAt).toEqual([1]);
  });

  it.each(Object.entries(CHANGES))(
    "is not answered after %s that came between its ruling and its commit",
    async (code, change) => {
      const { verdict, rows } = await decided(ruled, change);
      expect(verdict).toMatchObject({ reason_code: code });
      expect(verdict?.decision).toBe(code === "agent_suspended" ? "pause" : "deny");
      const [first, ...later] = rows;
      expect(first).toMatchObject({ kind: "decision", decision: ruled.decision });
      expect(later).toHaveLength(2);
      expect(later).toContainEqual(
        expect.objectContaining({ kind: "outcome", decision_id: "gw_test.0", withdrawn: true }),
      );
      expect(later).toContainEqual(expect.objectContaining({ kind: "decision", reason_code: code }));
    },
  );
});

const DENIES = "id: p\ntools: { denied: ['*'] }\n";

function putVersion(feed: TestGateway["feed"], version: number, source: string, enabled = true): void {
  feed.put({ kind: "policy", policyId: "p", version, enabled, source });
}

const POLICY_CHANGES: readonly (readonly [string, string, (gateway: TestGateway) => void])[] = [
  ["a version that denies", "tool_denied", ({ feed }) => putVersion(feed, 2, DENIES)],
  ["the end of its policy", "no_policy", ({ feed }) => putVersion(feed, 1, STATELESS, false)],
];

describe.each(CASES.filter(([, { decision }]) => decision === "allow"))("%s", (_what, ruled) => {
  it.each(POLICY_CHANGES)(
    "is decided again after %s that came into force between its ruling and its commit",
    async (_change, code, change) => {
      const { verdict, rows } = await decided(ruled, change);
      expect(verdict).toMatchObject({ decision: "deny", reason_code: code });
      const [first, ...later] = rows;
      expect(first).toMatchObject({ kind: "decision", decision: "allow" });
      expect(later).toHaveLength(2);
      expect(later).toContainEqual(
        expect.objectContaining({ kind: "outcome", decision_id: "gw_test.0", withdrawn: true }),
      );
      expect(later).toContainEqual(expect.objectContaining({ kind: "decision", reason_code: code }));
    },
  );

  it("is denied when its policy changes during each of its decisions", async () => {
    const gateway = await testGateway();
    gateway.feed.putPolicy("p", ruled.policy, { agent_id: "agent-1" });
    await gateway.follower.catchUp();
    let version = 1;
    gateway.ledger.beforeCommit = async () => {
      version += 1;
      putVersion(gateway.feed, version, ruled.policy);
      await gateway.follower.catchUp();
    };
    const verdict = await execute(gateway.parts, received(call({ tool: ruled.tool, namespace: "default" })));
    await gateway.withdrawals.drain();
    expect(verdict).toMatchObject({ decision: "deny", reason_code: "policy_loading" });
    const allowed = gateway.rows().filter((row) => row["kind"] === "decision" && row["decision"] === "allow");
    const withdrawn = gateway.rows().filter((row) => row["kind"] === "outcome");
    expect(withdrawn).toHaveLength(allowed.length);
  });
});
