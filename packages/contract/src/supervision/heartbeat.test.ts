import type { JsonValue } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import type { Parsed } from "../fields/parsed.ts";
import { parseHeartbeat, parseReauthentication, parseReregistration } from "./heartbeat.ts";

/** The field at fault, what was expected there, and what to send instead; null when the body is accepted. */
function refusal(parsed: Parsed<unknown>): string | null {
  const [first] = parsed.ok ? [] : parsed.errors;
  return first === undefined ? null : `${first.pointer}: ${first.expected}; ${first.fix ?? ""}`;
}

describe("a heartbeat", () => {
  it("names its session, and nothing else must be there", () => {
    expect(parseHeartbeat({ session_id: "s-1" })).toEqual({
      ok: true,
      value: { session_id: "s-1", parent_session_id: null, ended: false },
    });
    const whole = { session_id: "s-1", parent_session_id: "s-0", ended: true };
    expect(parseHeartbeat(whole)).toEqual({ ok: true, value: whole });
  });

  it.each<[JsonValue, string]>([
    [{}, "/session_id: 1 to 256 bytes of printable text"],
    [{ session_id: null }, "/session_id: 1 to 256 bytes of printable text"],
    [{ session_id: "a b " }, "/session_id: 1 to 256 bytes of printable text"],
    [{ session_id: "x".repeat(257) }, "/session_id: 1 to 256 bytes of printable text"],
    [{ session_id: "s", parent_session_id: 1 }, "/parent_session_id: 1 to 256 bytes of printable text"],
    [{ session_id: "s", ended: "true" }, "/ended: true or false"],
    [{ session_id: "s", parent: "p" }, "did you mean parent_session_id?"],
    [{ session: "s" }, "/session_id: 1 to 256 bytes of printable text"],
    [[], ": an object"],
  ])("%j is refused with the field at fault", (body, expected) => {
    expect(refusal(parseHeartbeat(body))).toContain(expected);
  });
});

it("a re-authentication names one session", () => {
  expect(parseReauthentication({ session_id: "s-1" })).toEqual({ ok: true, value: { session_id: "s-1" } });
  expect(refusal(parseReauthentication({}))).toContain("/session_id");
  expect(refusal(parseReauthentication({ session_id: "s", reason: "r" }))).toContain("session_id");
});

describe("a re-registration", () => {
  const PERSON = { reason: "looked at it", reregistered_by: "ana@example.com" };

  it("says who and why, and is about every terminated session unless it names one", () => {
    expect(parseReregistration(PERSON)).toEqual({
      ok: true,
      value: { ...PERSON, session_id: null, end_kill_switch: false },
    });
    const whole = { ...PERSON, session_id: "s-1", end_kill_switch: true };
    expect(parseReregistration(whole)).toEqual({ ok: true, value: whole });
  });

  it.each<[JsonValue, string]>([
    [{ reregistered_by: "ana" }, "/reason: why, in 1 to 1000 characters"],
    [{ ...PERSON, reason: "  " }, "/reason: why"],
    [{ ...PERSON, reason: "x".repeat(1_001) }, "/reason: why"],
    [{ reason: "r" }, "/reregistered_by: who does this"],
    [{ ...PERSON, end_kill_switch: "yes" }, "/end_kill_switch: true or false"],
    [{ ...PERSON, end_killswitch: true }, "did you mean end_kill_switch?"],
  ])("%j is refused with the field at fault", (body, expected) => {
    expect(refusal(parseReregistration(body))).toContain(expected);
  });
});
