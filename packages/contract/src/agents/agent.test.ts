import type { JsonValue } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import type { Parsed } from "../fields/parsed.ts";
import { parseAgentAdoption, parseAgentRegistration, parseAgentUpdate } from "./agent.ts";
import { parseQuarantineLift, parseQuarantineRequest } from "./quarantine.ts";

const AGENT = { id: "billing-bot", namespace: "payments" };

/** The fields that a refusal names, with what was expected there and what to send instead. */
function refusal(parsed: Parsed<unknown>): readonly string[] {
  if (parsed.ok) return [];
  return parsed.errors.map(({ pointer, expected, fix }) => `${pointer}: ${expected}${fix ? `; ${fix}` : ""}`);
}

describe("a registration", () => {
  it("gets every default", () => {
    expect(parseAgentRegistration(AGENT)).toEqual({
      ok: true,
      value: {
        ...AGENT,
        name: "billing-bot",
        provider: null,
        tags: [],
        capabilities: [],
        parent_agent_id: null,
      },
    });
  });

  it("names each tag once", () => {
    const body = { ...AGENT, tags: ["prod", "eu west", "prod"] };
    expect(parseAgentRegistration(body)).toMatchObject({ value: { tags: ["prod", "eu west"] } });
  });

  it.each<[JsonValue, string]>([
    [{ id: "a" }, "/namespace"],
    [{ ...AGENT, id: "a b " }, "/id"],
    [{ ...AGENT, name: " " }, "/name"],
    [{ ...AGENT, tags: ["a,b"] }, "/tags/0"],
    [{ ...AGENT, tags: [" a"] }, "/tags/0"],
    [{ ...AGENT, tags: ["a", ""] }, "/tags/1"],
    [{ ...AGENT, tags: Array.from({ length: 51 }, (_, at) => `t${String(at)}`) }, "/tags"],
    [{ ...AGENT, capabilities: "all" }, "/capabilities"],
    [{ ...AGENT, parent_agent_id: "" }, "/parent_agent_id"],
  ])("refuses %j", (body, pointer) => {
    expect(refusal(parseAgentRegistration(body)).map((entry) => entry.split(":")[0])).toEqual([pointer]);
  });

  it.each([
    ["agent_id", 'write "id"'],
    ["parent", 'write "parent_agent_id"'],
    ["namespace_id", 'write "namespace"'],
    ["tag", "did you mean tags?"],
    ["capabilitys", "did you mean capabilities?"],
    ["severity", "leave it out; it is computed"],
    ["constructor_", "the fields are id, namespace, name, provider, tags, capabilities, parent_agent_id"],
  ])("says what to write in place of %s", (field, fix) => {
    expect(refusal(parseAgentRegistration({ ...AGENT, [field]: "x" }))).toEqual([
      expect.stringContaining(fix),
    ]);
  });
});

describe("an update", () => {
  it("leaves what it does not name", () => {
    expect(parseAgentUpdate({ tags: [] })).toEqual({ ok: true, value: { tags: [] } });
    expect(parseAgentUpdate({ parent_agent_id: null })).toEqual({
      ok: true,
      value: { parent_agent_id: null },
    });
  });

  it("names something", () => {
    expect(refusal(parseAgentUpdate({}))).toHaveLength(1);
  });

  it.each([
    ["id", "an id never changes; register another agent"],
    ["quarantine", "send POST agents/<id>/quarantine"],
    ["status", "leave it out; it is computed"],
  ])("does not change %s", (field, fix) => {
    expect(refusal(parseAgentUpdate({ name: "n", [field]: "x" }))).toEqual([expect.stringContaining(fix)]);
  });
});

it("an adoption needs nothing", () => {
  expect(parseAgentAdoption({})).toEqual({
    ok: true,
    value: { provider: null, tags: [], capabilities: [], parent_agent_id: null },
  });
});

it("a quarantine says why, who and for how long", () => {
  const said = { reason: "odd calls", quarantined_by: "on-call" };
  expect(parseQuarantineRequest(said)).toEqual({
    ok: true,
    value: { ...said, ttl_seconds: null, dry_run: false },
  });
  expect(refusal(parseQuarantineRequest({ ...said, ttl_seconds: 0 }))).toHaveLength(1);
  expect(refusal(parseQuarantineRequest({ ...said, ttl: 60 }))).toEqual([
    expect.stringContaining("ttl_seconds"),
  ]);
  expect(refusal(parseQuarantineRequest({ reason: " ", quarantined_by: "on-call" }))).toHaveLength(1);
  expect(refusal(parseQuarantineLift({ reason: "was a test", quarantined_by: "x" }))).toHaveLength(2);
});
