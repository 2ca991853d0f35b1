import { describe, expect, it } from "vitest";
import { parsePolicyAssignment, parseRollback } from "./policy.ts";
import { parsePolicyPatch } from "./policy-labels.ts";

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
    ["/agent_id", "printable text", { policy_id: "p", agent_id: "*" }],
    ["/agent_id", "printable text", { policy_id: "p", agent_id: 7 }],
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
    expect(parseRollback({ target_version: 3 })).toEqual({
      ok: true,
      value: { target_version: 3, why: null },
    });
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

describe("changes of labels", () => {
  it("take texts, and null for what is removed", () => {
    const labels = { team: "payments", "a.b/c": "", old: null };
    expect(parsePolicyPatch({ labels, why: "handed over" })).toEqual({
      ok: true,
      value: { labels, why: "handed over" },
    });
  });

  // proves POL-69
  it.each([
    ["/labels", {}],
    ["/labels", { labels: {} }],
    [
      "/labels",
      { labels: Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`k${String(at)}`, ""])) },
    ],
    ["/labels", { labels: ["a"] }],
    ["/labels/team", { labels: { team: 5 } }],
    ["/labels/team", { labels: { team: "x".repeat(129) } }],
    ["/labels/team", { labels: { team: "a\nb" } }],
    ["/labels/a b", { labels: { "a b": "x" } }],
    ["/labels/.a", { labels: { ".a": "x" } }],
    [`/labels/${"k".repeat(64)}`, { labels: { ["k".repeat(64)]: "x" } }],
    ["/why", { labels: { a: "b" }, why: " " }],
    ["/why", { labels: { a: "b" }, why: "x".repeat(1_001) }],
    ["/label", { labels: { a: "b" }, label: "x" }],
  ])("are refused at %s: %j", (pointer, body) => {
    expect(parsePolicyPatch(body)).toMatchObject({ ok: false, errors: [{ pointer }] });
  });
});
