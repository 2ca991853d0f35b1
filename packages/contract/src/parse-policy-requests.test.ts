import { describe, expect, it } from "vitest";
import { parsePolicyAssignment, parseRollback } from "./parse-policy-requests.ts";

describe("policy assignments", () => {
  it.each([
    [
      { policy_id: "p", agent_id: "a" },
      { policy_id: "p", agent_id: "a", namespace_id: null },
    ],
    [
      { policy_id: "p", namespace_id: "n" },
      { policy_id: "p", agent_id: null, namespace_id: "n" },
    ],
    [
      { policy_id: "p", agent_id: null, namespace_id: "n" },
      { policy_id: "p", agent_id: null, namespace_id: "n" },
    ],
  ])("take %j", (body, value) => {
    expect(parsePolicyAssignment(body)).toEqual({ ok: true, value });
  });

  it.each([
    ["/agent_id", "exactly one", { policy_id: "p" }],
    ["/agent_id", "exactly one", { policy_id: "p", agent_id: "a", namespace_id: "n" }],
    ["/agent_id", "ASCII", { policy_id: "p", agent_id: "*" }],
    ["/agent_id", "ASCII", { policy_id: "p", agent_id: 7 }],
    ["/policy_id", "ASCII", { agent_id: "a" }],
    ["/namespace", "no field", { policy_id: "p", agent_id: "a", namespace: "n" }],
    ["", "an object", []],
  ])("are refused at %s, expecting %s: %j", (pointer, expected, body) => {
    const entry = { pointer, expected: expect.stringContaining(expected) };
    expect(parsePolicyAssignment(body)).toMatchObject({ ok: false, errors: [entry] });
  });
});

describe("rollbacks", () => {
  it("take a version", () => {
    expect(parseRollback({ target_version: 3 })).toEqual({ ok: true, value: { target_version: 3 } });
  });

  it.each([
    {},
    { target_version: 0 },
    { target_version: 1.5 },
    { target_version: "3" },
    { target_version: null },
  ])("refuse %j", (body) => {
    const entry = { pointer: "/target_version", expected: expect.stringContaining("a version number") };
    expect(parseRollback(body)).toMatchObject({ ok: false, errors: [entry] });
  });

  it("refuse fields of another name", () => {
    expect(parseRollback({ target_version: 3, force: true })).toMatchObject({
      errors: [{ pointer: "/force" }],
    });
  });
});
