import { MAX_RULES_PER_POLICY } from "@svc/contract/limits";
import { FINDING_CODES } from "@svc/engine/diagnostic-codes";
import { callOf } from "@svc/engine/testing/compiled";
import { anyPolicy } from "@svc/engine/testing/generated-constructs";
import { threadMs } from "@svc/engine/testing/thread-time";
import type { Witness } from "@svc/engine/witness";
import { runs } from "@svc/text/testing/runs";
import { parseUsd } from "@svc/text/usd";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileExamined } from "../testing/compile-examined.suite.ts";

/** Milliseconds that the largest documents may take, with a margin for a busy machine. */
const LARGEST_MS = 10_000;

function callOfWitness({ call }: Witness) {
  const { agent_id: agentId, session_id: sessionId, namespace, session, time } = call;
  const usage = { steps: session.steps, costMicroUsd: parseUsd(session.cost_usd) ?? 0 };
  return callOf(call.tool, call.args, { agentId, sessionId, namespace, usage, timeMs: Date.parse(time) });
}

describe("findings", () => {
  // proves POL-86
  it("never name a decision that the compiled policy does not make", () => {
    let shown = 0;
    fc.assert(
      fc.property(anyPolicy, (document) => {
        const result = compileExamined(JSON.stringify(document));
        if (!result.ok) return;
        for (const { code, witness } of result.warnings) {
          if (witness === null) continue;
          if (Object.hasOwn(FINDING_CODES, code)) shown += 1;
          expect(result.policy.evaluate(callOfWitness(witness)).decision).toBe(witness.decision);
        }
      }),
      { numRuns: runs(1_000, 10_000) },
    );
    expect(shown).toBeGreaterThan(50);
  });

  // proves POL-97
  it.each([
    [
      "conditions",
      (at: number) => `{field: args.x${String(at % 7)}, operator: "==", value: prod${String(at)}}`,
    ],
    ["patterns", (at: number) => `{field: args.x, operator: matches, value: 'a.*b${String(at)}{1,90}'}`],
    ["folders", () => "{field: args.x, operator: path_within, value: /srv/*}"],
  ])("end after a bounded amount of work for many %s about one tool", (_name, condition) => {
    const action = (at: number) => (at % 3 === 0 ? "allow" : "deny");
    const rules = Array.from(
      { length: MAX_RULES_PER_POLICY },
      (_, at) =>
        `  - {id: r${String(at)}, priority: ${String(at)}, action: ${action(at)}, ` +
        `match: {condition: ${condition(at)}}}`,
    );
    const document = `id: p\ntools: {allowed: ["*"]}\nrules:\n${rules.join("\n")}\n`;
    expect(threadMs(() => compileExamined(document))).toBeLessThan(LARGEST_MS);
  });
});
