import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMessages } from "./parse-messages.ts";

const BOTH = ["deny", "require_approval"] as const;

describe("parseMessages", () => {
  it("sorts the messages, and names each once", () => {
    expect(parseMessages('{"deny":["b","a","b"],"require_approval":[]}', BOTH)).toEqual({
      kind: "messages",
      deny: ["a", "b"],
      requireApproval: [],
    });
    expect(parseMessages('{"require_approval":["a"]}', ["require_approval"])).toMatchObject({
      deny: [],
      requireApproval: ["a"],
    });
  });

  it.each([
    ["no object", "[]"],
    ["null", "null"],
    ["a rule too few", '{"deny":[]}'],
    ["a rule too many", '{"deny":[],"require_approval":[],"allow":["a"]}'],
    ["another rule", '{"deny":[],"allow":[]}'],
    ["a boolean", '{"deny":false,"require_approval":[]}'],
    ["an object", '{"deny":{},"require_approval":[]}'],
    ["a text", '{"deny":"a","require_approval":[]}'],
    ["a number among the messages", '{"deny":["a",1],"require_approval":[]}'],
    ["an empty message", '{"deny":[""],"require_approval":[]}'],
    ["an unseen message", '{"deny":["\u200b"],"require_approval":[]}'],
    ["an object that is not strict JSON", '{"deny":[{"\\"":9007199254740992}],"require_approval":[]}'],
    ["a long message", JSON.stringify({ deny: ["x".repeat(1_001)], require_approval: [] })],
    ["many messages", JSON.stringify({ deny: Array.from({ length: 65 }, String), require_approval: [] })],
  ])("fails on %s", (_, text) => {
    expect(parseMessages(text, BOTH)).toMatchObject({ kind: "failed", code: "rego_shape" });
  });

  it("says the limits of messages", () => {
    expect(parseMessages('{"deny":["x",""]}', ["deny"])).toMatchObject({
      message:
        "deny is not a set of at most 64 messages, each a text of at most 1,000 characters that is not blank",
    });
  });

  it("never finds that nothing is said in what is not two empty lists", () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), (deny, approval) => {
        const result = parseMessages(`{"deny":${deny},"require_approval":${approval}}`, BOTH);
        const saysNothing =
          result.kind === "messages" && result.deny.length + result.requireApproval.length === 0;
        expect(saysNothing).toBe(deny.trim() === "[]" && approval.trim() === "[]");
      }),
    );
  });
});
