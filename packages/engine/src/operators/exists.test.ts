import { loadVectors } from "@svc/text/testing/vectors-suite";
import { expect, it } from "vitest";
import { callOf, compiled } from "../testing/compiled.suite.ts";

interface Case {
  readonly description: string;
  readonly text: string;
  readonly seen: boolean;
}

const condition = { field: "args.text", operator: "not_empty" };
const policy = compiled({ id: "p", rules: [{ id: "r", match: { condition }, action: "allow" }] });

it.each(loadVectors<Case>("unseen"))("not_empty holds for $description: $seen", ({ text, seen }) => {
  for (const value of [text, ` ${text} `])
    expect(policy.evaluate(callOf("t", { text: value })).decision).toBe(seen ? "allow" : "deny");
});
