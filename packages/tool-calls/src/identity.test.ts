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
    expect(resolveIdentity([], sources, "set one")).toEqual({ ok: true, value });
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
    expect(resolveIdentity([], sources, "set one")).toMatchObject({
      ok: false,
      deny: {
        reason_code: "request_malformed",
        reason: `${field}: expected the value of a more trusted source, found another value.`,
      },
    });
  });

  it.each([[[]], [[who(null, "n")]]])("denies a call that no agent makes: %j", (sources) => {
    expect(resolveIdentity([], sources, "set one")).toMatchObject({
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

// proves ADP-15
describe("a configuration that fixes the agent", () => {
  const inDefault = { ok: true, value: who("a", "default") };

  it.each([
    ["nothing else", [who("a", null)], [], inDefault],
    ["a request that names nobody", [who("a", null)], [who(null, null)], inDefault],
    ["a request that repeats the default", [who("a", null)], [who("a", "default")], inDefault],
    [
      "a later part of it that names a namespace",
      [who("a", null), who(null, "n")],
      [],
      { value: who("a", "n") },
    ],
    ["a namespace of its own", [who("a", "n")], [who(null, "n")], { value: who("a", "n") }],
    ["no agent, but a namespace", [who(null, "n")], [who("a", null)], { value: who("a", "n") }],
    ["no agent and no namespace", [who(null, null)], [who("a", "n")], { value: who("a", "n") }],
  ])("decides with %s", (_, configured, claimed, wanted) => {
    expect(resolveIdentity(configured, claimed, "set one")).toMatchObject(wanted);
  });

  it.each([
    ["another namespace", [who("a", null)], [who(null, "n")]],
    ["the default in other case", [who("a", null)], [who("a", "Default")]],
    ["an empty namespace", [who("a", null)], [who(null, "")]],
    ["the default, against a namespace of its own", [who("a", "n")], [who(null, "default")]],
    ["another namespace than one of its parts", [who("a", null), who(null, "n")], [who(null, "default")]],
  ])("refuses a request that names %s", (_, configured, claimed) => {
    expect(resolveIdentity(configured, claimed, "set one")).toMatchObject({
      ok: false,
      deny: { decision: "deny", reason_code: "request_malformed", fail_closed: true },
    });
  });

  it("says what is expected and why", () => {
    expect(resolveIdentity([who("a", null)], [who(null, "n")], "set one")).toMatchObject({
      deny: {
        reason:
          "namespace: expected default, because the configuration fixes the agent and no namespace, " +
          "found another value.",
      },
    });
  });
});
