import { describe, expect, it } from "vitest";
import type { Caller } from "../headers/caller.ts";
import { MAX_SESSIONS } from "../limits.ts";
import { Sessions } from "./sessions.ts";

const callerOf = (agentId: string, mcpSession: string | null): Caller => ({
  agentId,
  namespace: null,
  sessionId: null,
  mcpSession,
  traceId: null,
});

/** Agent `a` was given `a-0` and `a-1`, and then `b` more than there is room for. */
function flooded(): Sessions {
  const sessions = new Sessions();
  for (const session of ["a-0", "a-1"]) sessions.began(session, { agentId: "a", opensUrls: true });
  for (let count = 0; count < MAX_SESSIONS; count += 1)
    sessions.began(`b-${String(count)}`, { agentId: "b", opensUrls: false });
  return sessions;
}

describe("M5: the owner of a session", () => {
  it("an agent that opens many sessions cannot take over another agent's", () => {
    const sessions = flooded();
    for (const session of ["a-0", "a-1"]) {
      expect(sessions.isForeign(callerOf("b", session))).toBe(true);
      expect(sessions.isForeign(callerOf("a", session))).toBe(false);
    }
  });

  it("an evicted session belongs to no agent, even if it is given again", () => {
    const sessions = flooded();
    sessions.began("b-0", { agentId: "c", opensUrls: false });
    for (const agent of ["a", "b", "c"]) expect(sessions.isForeign(callerOf(agent, "b-0"))).toBe(true);
    expect(sessions.isForeign(callerOf("b", `b-${String(MAX_SESSIONS - 1)}`))).toBe(false);
  });

  it("a session from before the start may be used by every agent", () => {
    expect(flooded().isForeign(callerOf("a", "before"))).toBe(false);
    expect(flooded().isForeign(callerOf("a", null))).toBe(false);
  });

  it("a killed call is not forgotten, however many follow", () => {
    const sessions = new Sessions();
    sessions.callKilled(callerOf("a", "a-0"));
    for (let count = 0; count <= MAX_SESSIONS; count += 1)
      sessions.callKilled(callerOf("b", `b-${String(count)}`));
    expect(sessions.holdsKilledCall(callerOf("a", "a-0"))).toBe(true);
    expect(sessions.holdsKilledCall(callerOf("a", null))).toBe(true);
    expect(sessions.holdsKilledCall(callerOf("a", "a-1"))).toBe(false);
  });
});
