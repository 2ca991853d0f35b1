import { killSwitch } from "@svc/control-feed/testing/fake-feed";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testGateway } from "./testing/test-gateway.ts";

const policy = (maxSteps: number) =>
  `id: p\ntools: { allowed: ['payments.*'] }\nsession: { max_steps: ${String(maxSteps)} }\n`;

describe("execute, whatever the order of things", () => {
  it("E20, I5: never answers allow after a kill was acknowledged and before it ended", async () => {
    const anyStep = fc.constantFrom<"call" | "kill" | "end">("call", "call", "call", "kill", "end");
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(anyStep, { minLength: 2, maxLength: 20 }),
        async (scheduler, steps) => {
          const gateway = await testGateway();
          gateway.feed.putPolicy("p", policy(1_000), { agent_id: "agent-1" });
          await gateway.follower.catchUp();
          gateway.ledger.beforeCommit = () => scheduler.schedule(Promise.resolve(), "commit");
          gateway.feed.beforeRead = () => scheduler.schedule(Promise.resolve(), "read");
          let enforced = false;
          const violations: string[] = [];
          const run = async (step: "call" | "kill" | "end"): Promise<void> => {
            if (step === "call") {
              const verdict = await gateway.execute();
              if (verdict.decision === "allow" && enforced) violations.push(verdict.decision_id);
              return;
            }
            if (step === "end") enforced = false;
            const revision = gateway.feed.put({
              kind: "kill_switch",
              record: killSwitch({ status: step === "kill" ? "active" : "inactive" }),
            });
            const applied = await gateway.follower.catchUp();
            if (step === "kill" && applied === revision) enforced = true;
          };
          const all = steps.map((step) => scheduler.schedule(Promise.resolve(), step).then(() => run(step)));
          await scheduler.waitFor(Promise.all(all));
          expect(violations).toEqual([]);
        },
      ),
      { numRuns: runs(300, 3_000) },
    );
  });

  it("E16, I2, I4: allows are never more than the ceiling, and each answer has its row", async () => {
    const shape = fc.record({
      maxSteps: fc.integer({ min: 0, max: 20 }),
      calls: fc.integer({ min: 1, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), shape, async (scheduler, { maxSteps, calls }) => {
        const gateway = await testGateway();
        gateway.feed.putPolicy("p", policy(maxSteps), { agent_id: "agent-1" });
        await gateway.follower.catchUp();
        gateway.ledger.beforeCommit = () => scheduler.schedule(Promise.resolve(), "commit");
        const verdicts = await scheduler.waitFor(
          Promise.all(Array.from({ length: calls }, () => gateway.execute())),
        );
        const rows = gateway.rows();
        const answered = verdicts.map(({ decision, decision_id }) => [decision_id, decision]);
        const written = rows.map((row, seq) => [`gw_test.${String(seq)}`, row["decision"]]);
        expect(new Map(written as [string, string][])).toEqual(new Map(answered as [string, string][]));
        expect(verdicts.filter(({ decision }) => decision === "allow")).toHaveLength(
          Math.min(maxSteps, calls),
        );
      }),
      { numRuns: runs(200, 2_000) },
    );
  });

  it("E23: a kill switch denies in every mode, whatever the policy says", async () => {
    const modes = fc.constantFrom("audit_only", "shadow", "enforcement");
    const targets = fc.constantFrom(
      { scope: "agent", target_id: "agent-1" },
      { scope: "session", target_id: "s-1" },
      { scope: "tool", target_id: "payments.refund" },
      { scope: "namespace", target_id: "default" },
      { scope: "global", target_id: null, account_wide: true },
    );
    await fc.assert(
      fc.asyncProperty(modes, targets, fc.boolean(), async (mode, target, failClosed) => {
        const gateway = await testGateway();
        const document = {
          id: "p",
          governance_mode: mode,
          fail_closed: failClosed,
          tools: { allowed: ["*"] },
        };
        gateway.feed.putPolicy("p", JSON.stringify(document), { agent_id: "agent-1" });
        gateway.feed.putSwitch(target);
        await gateway.follower.catchUp();
        expect(await gateway.execute()).toMatchObject({ decision: "deny", reason_code: "kill_switch" });
      }),
      { numRuns: runs(60, 600) },
    );
  });
});
