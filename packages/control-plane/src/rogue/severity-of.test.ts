import { DEFAULT_ROGUE_DETECTION } from "@svc/contract/rogue-detection";
import { SEVERITIES } from "@svc/contract/severity";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  escalationEtaSeconds,
  type HeartbeatSettings,
  isWorse,
  missedHeartbeats,
  severityOf,
  thresholdsOf,
} from "./severity-of.ts";

const defaults = DEFAULT_ROGUE_DETECTION.heartbeat;

/** Settings as the contract admits them. */
const anySettings = fc
  .record({
    interval_seconds: fc.integer({ min: 1, max: 3_600 }),
    steps: fc.tuple(fc.nat(300), fc.nat(300), fc.nat(300)),
  })
  .map(({ interval_seconds, steps: [warn, critical, emergency] }): HeartbeatSettings => {
    const warn_after_missed = warn + 1;
    const critical_after_missed = warn_after_missed + critical + 1;
    const emergency_after_missed = critical_after_missed + emergency + 1;
    return { interval_seconds, warn_after_missed, critical_after_missed, emergency_after_missed };
  });

const anyRisk = fc.constantFrom("normal" as const, "raised" as const);

describe("severityOf", () => {
  it.each([
    [0, "INFO", "INFO"],
    [1, "INFO", "WARNING"],
    [2, "WARNING", "CRITICAL"],
    [3, "WARNING", "CRITICAL"],
    [4, "CRITICAL", "EMERGENCY"],
    [7, "CRITICAL", "EMERGENCY"],
    [8, "EMERGENCY", "EMERGENCY"],
    [1_000, "EMERGENCY", "EMERGENCY"],
  ] as const)("says for %i missed heartbeats %s, and %s under a raised risk", (missed, normal, raised) => {
    expect(severityOf(missed, defaults, "normal")).toBe(normal);
    expect(severityOf(missed, defaults, "raised")).toBe(raised);
  });

  it("never falls when more heartbeats are missed, and never under a raised risk", () => {
    fc.assert(
      fc.property(anySettings, anyRisk, fc.nat(1_000), (settings, risk, missed) => {
        const severity = severityOf(missed, settings, risk);
        expect(isWorse(severity, severityOf(missed + 1, settings, risk))).toBe(false);
        expect(isWorse(severityOf(missed, settings, "normal"), severityOf(missed, settings, "raised"))).toBe(
          false,
        );
      }),
    );
  });

  it("passes through every severity in its order, whatever the settings and the risk", () => {
    fc.assert(
      fc.property(anySettings, anyRisk, (settings, risk) => {
        const { WARNING, CRITICAL, EMERGENCY } = thresholdsOf(settings, risk);
        expect(WARNING).toBeGreaterThanOrEqual(1);
        expect(CRITICAL).toBeGreaterThan(WARNING);
        expect(EMERGENCY).toBeGreaterThan(CRITICAL);
        const reached = [0, WARNING, CRITICAL, EMERGENCY].map((missed) => severityOf(missed, settings, risk));
        expect(reached).toEqual(SEVERITIES);
      }),
    );
  });
});

describe("escalationEtaSeconds", () => {
  it("is the time after which the severity is a worse one, to the second", () => {
    fc.assert(
      fc.property(anySettings, anyRisk, fc.nat(10_000_000), (settings, risk, silenceMs) => {
        const severity = severityOf(missedHeartbeats(silenceMs, settings), settings, risk);
        const eta = escalationEtaSeconds({ severity, silenceMs, settings, risk });
        const after = (seconds: number) =>
          severityOf(missedHeartbeats(silenceMs + seconds * 1_000, settings), settings, risk);
        expect(eta === null).toBe(severity === "EMERGENCY");
        if (eta === null) return;
        expect(isWorse(after(eta), severity)).toBe(true);
        expect(isWorse(after(eta - 1), severity)).toBe(false);
      }),
    );
  });

  it("is 0 while a step is due, and null when none is left", () => {
    const silence = { silenceMs: 120_000, settings: defaults, risk: "normal" } as const;
    expect(escalationEtaSeconds({ severity: "WARNING", ...silence })).toBe(0);
    expect(escalationEtaSeconds({ severity: "EMERGENCY", ...silence })).toBeNull();
  });
});
