import { describe, expect, it } from "vitest";
import { type Identity, resolveIdentity } from "./identity.ts";

const who = (agentId: string | null, namespace: string | null): Identity => ({ agentId, namespace });

describe("resolveIdentity", () => {
  it.each([
    ["one source", [who("a", "n")], who("a", "n")],
    ["a source that completes another", [who("a", null), who(null, "n")], who("a", "n")],
    ["a source that repeats another", [who("a", "n"), who("a", "n")], who("a", "n")],
    ["no namespace", [who(null, null), who("a", null)], who("a", null)],
  ])("takes %s", (_, sources, value) => {
    expect(resolveIdentity(sources, "set one")).toEqual({ ok: true, value });
  });

  it.each([
    ["another agent", [who("a", null), who("b", null)], "agent id"],
    ["another namespace", [who("a", "n"), who(null, null), who("a", "m")], "namespace"],
    ["a namespace in other case", [who("a", "n"), who("a", "N")], "namespace"],
    [
      "another agent than a source before the last",
      [who(null, null), who("a", null), who("", null)],
      "agent id",
    ],
  ])("refuses %s", (_, sources, field) => {
    expect(resolveIdentity(sources, "set one")).toMatchObject({
      ok: false,
      deny: {
        reason_code: "request_malformed",
        reason: `${field}: expected the value of a more trusted source, found another value.`,
      },
    });
  });

  it.each([[[]], [[who(null, "n")]]])("denies a call that no agent makes: %j", (sources) => {
    expect(resolveIdentity(sources, "set one")).toMatchObject({
      ok: false,
      deny: {
        decision: "deny",
        reason_code: "agent_unknown",
        reason: "No agent: set one.",
        fail_closed: true,
      },
    });
  });
});
