import type { Verdict } from "@svc/contract/verdict";
import { SEVERAL_CALLS } from "@svc/tool-calls/testing/several-calls";
import { describe, expect, it } from "vitest";
import { judgeJson } from "./testing/judge-json.ts";
import { completion, portkeyAfter, toolCall } from "./testing/messages.ts";

// proves ADP-11
describe("a guardrail webhook answers several calls in one answer of a model with one verdict", () => {
  it.each(SEVERAL_CALLS)("$name: $want", async ({ verdicts, want, asked, notExecuted }) => {
    const left = [...verdicts];
    const calls = verdicts.map((_, index) => toolCall(`tool_${String(index)}`, "{}"));
    const judged = await judgeJson("portkey", portkeyAfter(completion(null, calls)), {
      decide: () => Promise.resolve(left.shift() as Verdict),
    });
    expect(judged.passes).toBe(want === "allow");
    expect(judged.answer).toMatchObject({ data: { decision: want } });
    expect(judged.asked).toHaveLength(asked);
    expect(judged.givenBack).toEqual(notExecuted);
  });
});
