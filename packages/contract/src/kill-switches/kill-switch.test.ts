import type { JsonValue } from "@svc/text/json-value";
import { strictValue } from "@svc/text/testing/strict-value-suite";
import { loadVectors } from "@svc/text/testing/vectors-suite";
import { describe, expect, it } from "vitest";
import { MAX_REASON_LENGTH, MAX_TTL_SECONDS } from "../limits.ts";
import {
  type KillSwitchActivation,
  parseKillSwitchActivation,
  parseKillSwitchDeactivation,
} from "./kill-switch.ts";

interface Vector {
  readonly description: string;
  readonly text: string;
  readonly activation?: KillSwitchActivation;
  readonly pointers?: readonly string[];
}

const WHO = { reason: "incident 7", activated_by: "ops" };
const AGENT = { ...WHO, scope: "agent", target_id: "agent-1" };

const accepted: readonly [string, JsonValue, object][] = [
  ["agent", AGENT, {}],
  ["session", { ...AGENT, scope: "session" }, { scope: "session" }],
  [
    "tool",
    { ...AGENT, scope: "tool", target_id: "payments.refund" },
    { scope: "tool", target_id: "payments.refund" },
  ],
  ["namespace", { ...AGENT, scope: "namespace" }, { scope: "namespace" }],
  ["time to live", { ...AGENT, ttl_seconds: 1 }, { ttl_seconds: 1 }],
  ["longest time to live", { ...AGENT, ttl_seconds: MAX_TTL_SECONDS }, { ttl_seconds: MAX_TTL_SECONDS }],
  ["time to live null", { ...AGENT, ttl_seconds: null }, { ttl_seconds: null }],
  ["rehearsal", { ...AGENT, dry_run: true }, { dry_run: true }],
  [
    "longest reason",
    { ...AGENT, reason: "r".repeat(MAX_REASON_LENGTH) },
    { reason: "r".repeat(MAX_REASON_LENGTH) },
  ],
  ["account-wide beside a scope", { ...AGENT, account_wide: true }, { account_wide: true }],
  [
    "account-wide without target",
    { ...WHO, scope: "agent", account_wide: true },
    { target_id: null, account_wide: true },
  ],
  ["global", { ...WHO, scope: "global" }, { scope: "global", target_id: null, account_wide: true }],
  [
    "global with target null",
    { ...WHO, scope: "global", target_id: null },
    { scope: "global", target_id: null, account_wide: true },
  ],
  [
    "global that says account_wide false",
    { ...WHO, scope: "global", account_wide: false },
    { scope: "global", target_id: null, account_wide: true },
  ],
  [
    "account-wide that recovers",
    { ...WHO, scope: "global", ttl_seconds: 60, auto_recovery: true },
    { scope: "global", target_id: null, account_wide: true, ttl_seconds: 60, auto_recovery: true },
  ],
];

const refused: readonly [string, JsonValue, string, string][] = [
  ["an array", [], "", "an object"],
  ["no scope", { ...WHO, target_id: "a" }, "/scope", "one of session"],
  ["scope of another case", { ...AGENT, scope: "Agent" }, "/scope", "one of session"],
  ["no target", { ...WHO, scope: "agent" }, "/target_id", "the agent to stop"],
  ["target null", { ...AGENT, target_id: null }, "/target_id", "the agent to stop"],
  ["target *", { ...AGENT, target_id: "*" }, "/target_id", "an exact name (no glob)"],
  ["target a glob", { ...AGENT, target_id: "agent-*" }, "/target_id", "an exact name (no glob)"],
  ["target empty", { ...AGENT, target_id: "" }, "/target_id", "an exact name"],
  ["target a number", { ...AGENT, target_id: 7 }, "/target_id", "an exact name"],
  ["global with a target", { ...AGENT, scope: "global" }, "/target_id", "no target_id"],
  ["no reason", { scope: "agent", target_id: "a", activated_by: "ops" }, "/reason", "the reason"],
  ["empty reason", { ...AGENT, reason: "" }, "/reason", "the reason"],
  ["blank reason", { ...AGENT, reason: " \n" }, "/reason", "not only white space"],
  ["reason too long", { ...AGENT, reason: "r".repeat(MAX_REASON_LENGTH + 1) }, "/reason", "1 to 1000"],
  ["nobody", { scope: "agent", target_id: "a", reason: "r" }, "/activated_by", "who or what"],
  ["time to live 0", { ...AGENT, ttl_seconds: 0 }, "/ttl_seconds", "whole seconds"],
  ["time to live negative", { ...AGENT, ttl_seconds: -1 }, "/ttl_seconds", "whole seconds"],
  ["time to live in half seconds", { ...AGENT, ttl_seconds: 1.5 }, "/ttl_seconds", "whole seconds"],
  ["time to live as text", { ...AGENT, ttl_seconds: "60" }, "/ttl_seconds", "whole seconds"],
  ["time to live too long", { ...AGENT, ttl_seconds: MAX_TTL_SECONDS + 1 }, "/ttl_seconds", "whole seconds"],
  ["flag as text", { ...AGENT, dry_run: "true" }, "/dry_run", "true or false"],
  ["flag as a number", { ...AGENT, account_wide: 1 }, "/account_wide", "true or false"],
  ["flag null", { ...AGENT, dry_run: null }, "/dry_run", "true or false"],
  [
    "global with time to live",
    { ...WHO, scope: "global", ttl_seconds: 60 },
    "/ttl_seconds",
    "auto_recovery true",
  ],
  [
    "account-wide with time to live",
    { ...AGENT, account_wide: true, ttl_seconds: 60 },
    "/ttl_seconds",
    "auto_recovery true",
  ],
  ["recovery without time to live", { ...AGENT, auto_recovery: true }, "/auto_recovery", "ttl_seconds"],
  ["misspelt field", { ...AGENT, ttl_second: 60 }, "/ttl_second", "no field of this name"],
];

describe("activation of a kill switch", () => {
  // proves KILL-08, KILL-09, KILL-28
  it.each(loadVectors<Vector>("kill-switch-activation"))(
    "vector: $description",
    ({ text, activation, pointers }) => {
      const parsed = parseKillSwitchActivation(strictValue(text));
      if (parsed.ok) expect(parsed.value).toEqual(activation);
      else expect(parsed.errors.map(({ pointer }) => pointer)).toEqual(pointers);
    },
  );

  it.each(accepted)("accepts %s", (_, body, wanted) => {
    const defaults = { ttl_seconds: null, account_wide: false, auto_recovery: false, dry_run: false };
    const parsed = parseKillSwitchActivation(body);
    expect(parsed.ok ? parsed.value : parsed.errors).toEqual({ ...AGENT, ...defaults, ...wanted });
  });

  it.each(refused)("refuses %s", (_, body, pointer, expected) => {
    const parsed = parseKillSwitchActivation(body);
    const wanted = { pointer, expected: expect.stringContaining(expected), found: expect.any(String) };
    expect(parsed.ok ? parsed.value : parsed.errors).toMatchObject([wanted]);
    expect(parsed.ok ? [] : parsed.errors).toHaveLength(1);
  });

  it("names every fault at once", () => {
    const parsed = parseKillSwitchActivation({ scope: "all", target_id: "*", ttl_seconds: 0, extra: 1 });
    const pointers = parsed.ok ? [] : parsed.errors.map(({ pointer }) => pointer);
    expect(pointers.toSorted()).toEqual([
      "/activated_by",
      "/extra",
      "/reason",
      "/scope",
      "/target_id",
      "/ttl_seconds",
    ]);
  });

  it("says what came", () => {
    const parsed = parseKillSwitchActivation({ ...AGENT, target_id: "x".repeat(300) });
    expect(parsed.ok ? "" : parsed.errors[0]?.found).toBe(`the string "${"x".repeat(63)}...`);
  });
});

describe("deactivation of a kill switch", () => {
  it("takes a reason and who", () => {
    const body = { reason: "over", deactivated_by: "ops" };
    expect(parseKillSwitchDeactivation(body)).toEqual({ ok: true, value: body });
  });

  it.each([
    ["/reason", { deactivated_by: "ops" }],
    ["/deactivated_by", { reason: "over" }],
    ["/deactivated_by", { reason: "over", deactivated_by: "" }],
    ["/activated_by", { reason: "over", deactivated_by: "ops", activated_by: "ops" }],
    ["", null],
  ])("refuses at %s: %j", (pointer, body) => {
    expect(parseKillSwitchDeactivation(body)).toMatchObject({ ok: false, errors: [{ pointer }] });
  });
});

// proves KILL-38
describe("a mistake that people make in a hurry", () => {
  it.each<[string, JsonValue, string, string]>([
    [
      "the agent as a field",
      { agent: "bank-agent" },
      "/agent",
      'write "scope": "agent", "target_id": "bank-agent"',
    ],
    ["a target that cannot be one", { tool: "a b " }, "/tool", '"target_id": "<the tool>"'],
    ["global as a field", { ...WHO, global: true }, "/global", 'write "scope": "global"'],
    ["scope account", { ...AGENT, scope: "account" }, "/scope", 'write "scope": "global" without target_id'],
    ["scope ALL", { ...WHO, scope: "ALL" }, "/scope", 'write "scope": "global" without target_id'],
    ["scope agents", { ...AGENT, scope: "agents" }, "/scope", "did you mean agent?"],
    ["a misspelt field", { ...AGENT, ttl_second: 5 }, "/ttl_second", "did you mean ttl_seconds?"],
  ])("%s is answered with what to write instead", (_name, body, pointer, fix) => {
    const parsed = parseKillSwitchActivation(body);
    const entry = parsed.ok ? undefined : parsed.errors.find((each) => each.pointer === pointer);
    expect(entry?.fix).toContain(fix);
  });

  it("a name that is like no field is answered with the fields, and a wrong value without a fix", () => {
    const parsed = parseKillSwitchActivation({ ...AGENT, colour: "red", ttl_seconds: 0 });
    const fixes = parsed.ok ? {} : Object.fromEntries(parsed.errors.map((each) => [each.pointer, each.fix]));
    expect(fixes["/ttl_seconds"]).toBeUndefined();
    expect(fixes["/colour"]).toContain("the fields are scope, target_id");
  });
});
