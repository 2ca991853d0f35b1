import type { JsonValue } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { DEFAULT_ROGUE_DETECTION, parseRogueDetection, storedRogueDetection } from "./rogue-detection.ts";

/** The defaults as documented. */
const DEFAULTS = {
  heartbeat: {
    interval_seconds: 15,
    warn_after_missed: 2,
    critical_after_missed: 4,
    emergency_after_missed: 8,
  },
  orphan_detection: { enabled: true, parent_check_interval_seconds: 15, grace_period_seconds: 60 },
  escalation: { auto_kill_on_emergency: true, notify_channels: [], audit_retention_days: 365 },
  coverage: { outcomes_expected: false, outcome_within_seconds: 900, missing_outcomes: 5, unallowed_runs: 1 },
  risk: { sensitive_tools: [] },
  behaviour: {
    repeated_calls: 20,
    denied_retries: 5,
    deny_storm: 30,
    rule_denies: 20,
    burst_factor: 10,
    new_tool_after_calls: 1_000,
  },
};

const heartbeat = (fields: JsonValue) => ({ rogue_detection: { heartbeat: fields } });
const SLACK = "https://chat.example/services/T0";
const KEY = "0123456789abcdef0123456789abcdef";

const channels = (...notify_channels: readonly JsonValue[]) => ({
  rogue_detection: { escalation: { notify_channels } },
});

describe("rogue-detection settings", () => {
  it("have these defaults", () => {
    expect(DEFAULT_ROGUE_DETECTION).toEqual(DEFAULTS);
    expect(parseRogueDetection({ rogue_detection: {} })).toEqual({ ok: true, value: DEFAULTS });
  });

  it("fill what is left out, section by section", () => {
    const body = {
      rogue_detection: {
        heartbeat: { interval_seconds: 5 },
        orphan_detection: { enabled: false },
        risk: { sensitive_tools: ["payments.*"] },
        escalation: {
          notify_channels: [{ webhook: "https://a.example/x?y=1" }, { channel: "operations" }],
        },
      },
    };
    expect(parseRogueDetection(body)).toEqual({
      ok: true,
      value: {
        ...DEFAULTS,
        risk: body.rogue_detection.risk,
        heartbeat: { ...DEFAULTS.heartbeat, interval_seconds: 5 },
        orphan_detection: { ...DEFAULTS.orphan_detection, enabled: false },
        escalation: {
          ...DEFAULTS.escalation,
          notify_channels: [
            { kind: "target", target: { kind: "webhook", address: "https://a.example/x?y=1" } },
            { kind: "channel", id: "operations" },
          ],
        },
        behaviour: DEFAULTS.behaviour,
      },
    });
  });

  it("that were stored before a key existed have its default", () => {
    const { escalation, coverage, risk, behaviour, ...earlier } = DEFAULTS;
    expect(storedRogueDetection(earlier)).toEqual({ ...earlier, escalation, coverage, risk, behaviour });
    expect(() => storedRogueDetection({ ...earlier, heartbeat: 7 })).toThrow("expected an object");
  });

  it("of one channel are not sent where they are already", () => {
    const parsed = parseRogueDetection({ rogue_detection: { escalation: { notify_channels: "slack" } } });
    expect(JSON.stringify(parsed)).not.toContain("write it inside");
  });

  it("that a later version stored keep what this version knows", () => {
    const ours = { ...DEFAULTS.heartbeat, interval_seconds: 5 };
    const later = { ...DEFAULTS, heartbeat: { ...ours, jitter_seconds: 1 }, moods: { enabled: true } };
    expect(storedRogueDetection(later)).toEqual({ ...DEFAULTS, heartbeat: ours });
    expect(() => storedRogueDetection([])).toThrow("expected an object");
  });

  // proves NS-05
  it.each<[pointer: string, expected: string, body: JsonValue]>([
    ["", "an object", null],
    ["/rogue_detection", "an object", {}],
    ["/rogue_detection", "an object", { rogue_detection: [] }],
    [
      "/rogue_detection/risk/sensitive_tools/0",
      "glob of tools",
      { rogue_detection: { risk: { sensitive_tools: ["a b "] } } },
    ],
    [
      "/rogue_detection/coverage/outcome_within_seconds",
      "seconds from 1 to 86400",
      { rogue_detection: { coverage: { outcome_within_seconds: 0 } } },
    ],
    ["/rogue_detection/heartbeat", "an object", heartbeat(7)],
    ["/rogue_detection/heartbeat", "an object", heartbeat(null)],
    [
      "/rogue_detection/heartbeat/interval_seconds",
      "whole seconds from 1",
      heartbeat({ interval_seconds: 0 }),
    ],
    ["/rogue_detection/heartbeat/interval_seconds", "from 1 to 3600", heartbeat({ interval_seconds: 3_601 })],
    ["/rogue_detection/heartbeat/interval_seconds", "whole seconds", heartbeat({ interval_seconds: 1.5 })],
    [
      "/rogue_detection/behaviour/repeated_calls",
      "identical calls in a minute from 2",
      { rogue_detection: { behaviour: { repeated_calls: 1 } } },
    ],
    [
      "/rogue_detection/behaviour/burst_factor",
      "or null to switch it off",
      { rogue_detection: { behaviour: { burst_factor: 0 } } },
    ],
    ["/rogue_detection/heartbeat/interval_seconds", "whole seconds", heartbeat({ interval_seconds: "5" })],
    [
      "/rogue_detection/heartbeat/critical_after_missed",
      "more than warn_after_missed, which is 4 (left out, it is 4)",
      heartbeat({ warn_after_missed: 4 }),
    ],
    [
      "/rogue_detection/heartbeat/critical_after_missed",
      "more than warn_after_missed, which is 5",
      heartbeat({ warn_after_missed: 5 }),
    ],
    [
      "/rogue_detection/heartbeat/emergency_after_missed",
      "more than critical_after_missed, which is 8",
      heartbeat({ critical_after_missed: 8 }),
    ],
    [
      "/rogue_detection/heartbeat/emergency_after_missed",
      "more than critical_after_missed, which is 4",
      heartbeat({ emergency_after_missed: 3 }),
    ],
    [
      "/rogue_detection/orphan_detection/enabled",
      "true or false",
      { rogue_detection: { orphan_detection: { enabled: 1 } } },
    ],
    [
      "/rogue_detection/orphan_detection/grace_period_seconds",
      "from 1 to 86400",
      { rogue_detection: { orphan_detection: { grace_period_seconds: 86_401 } } },
    ],
    [
      "/rogue_detection/escalation/audit_retention_days",
      "from 1 to 3660",
      { rogue_detection: { escalation: { audit_retention_days: 0 } } },
    ],
    ["/rogue_detection/escalation/notify_channels/0", "exactly one of webhook", channels({})],
    ["/rogue_detection/escalation/notify_channels/0", "an object with one", channels("#ops")],
    [
      "/rogue_detection/escalation/notify_channels/1",
      "exactly one of webhook",
      channels({ slack: SLACK }, { slack: SLACK, pagerduty: KEY }),
    ],
    [
      "/rogue_detection/escalation/notify_channels/0/webhook",
      "begins with https://",
      channels({ webhook: "ftp://a" }),
    ],
    [
      "/rogue_detection/escalation/notify_channels/0/webhook",
      "without user",
      channels({ webhook: "https://u:p@a" }),
    ],
    ["/rogue_detection/escalation/notify_channels/0/webhook", "with https://", channels({ webhook: "a" })],
    [
      "/rogue_detection/escalation/notify_channels/0/slack",
      "at most 2000",
      channels({ slack: `https://a.example/${"x".repeat(2_000)}` }),
    ],
    [
      "/rogue_detection/escalation/notify_channels/0/slack",
      "an incoming webhook, which the chat gives",
      channels({ slack: "#ops" }),
    ],
    [
      "/rogue_detection/escalation/notify_channels",
      "at most 20 channels",
      channels(...Array<JsonValue>(21).fill({ slack: SLACK })),
    ],
  ])("are refused at %s, expecting %s: %j", (pointer, expected, body) => {
    const entry = { pointer, expected: expect.stringContaining(expected) };
    expect(parseRogueDetection(body)).toMatchObject({ ok: false, errors: [entry] });
  });

  it.each<[pointer: string, fix: string, body: JsonValue]>([
    ["/heartbeat", "write it inside rogue_detection", { rogue_detection: {}, heartbeat: {} }],
    ["/rogue_detecton", "did you mean rogue_detection?", { rogue_detection: {}, rogue_detecton: {} }],
    ["/rogue_detection/heartbeet", "did you mean heartbeat?", { rogue_detection: { heartbeet: {} } }],
    [
      "/rogue_detection/interval_seconds",
      "write it inside rogue_detection.heartbeat",
      { rogue_detection: { interval_seconds: 5 } },
    ],
    [
      "/rogue_detection/heartbeat/warn_after_mised",
      "did you mean warn_after_missed?",
      heartbeat({ warn_after_mised: 2 }),
    ],
    [
      "/rogue_detection/escalation/notify_channels/0/webhok",
      "did you mean webhook?",
      channels({ slack: SLACK, webhok: "https://a" }),
    ],
  ])("with a field that does not exist at %s say: %s", (pointer, fix, body) => {
    expect(parseRogueDetection(body)).toMatchObject({ ok: false, errors: [{ pointer, fix }] });
  });
});
