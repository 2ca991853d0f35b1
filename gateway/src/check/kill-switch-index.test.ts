import { killSwitch } from "@svc/control-feed/testing/fake-feed";
import { describe, expect, it, vi } from "vitest";
import { KillSwitchIndex, type KillTarget } from "./kill-switch-index.ts";

const CALL: KillTarget = {
  org: "default",
  namespace: "ns",
  agentId: "agent-1",
  sessionId: "s-1",
  tool: "t.a",
};

const SCOPES = [
  { scope: "agent", target_id: "agent-1", other: { agentId: "agent-2" } },
  { scope: "session", target_id: "s-1", other: { sessionId: "s-2" } },
  { scope: "session", target_id: "s-1", other: { sessionId: null } },
  { scope: "namespace", target_id: "ns", other: { namespace: "ns2" } },
  { scope: "tool", target_id: "t.a", other: { tool: "t.A" } },
] as const;

describe("KillSwitchIndex", () => {
  // proves KILL-03, KILL-04, KILL-05, KILL-06
  it.each(SCOPES)("stops what a $scope switch names and nothing else", ({ scope, target_id, other }) => {
    const index = new KillSwitchIndex();
    index.apply("default", killSwitch({ scope, target_id }));
    expect(index.match(CALL)?.kill_switch_id).toBe("ks_1");
    expect(index.match({ ...CALL, ...other })).toBeNull();
    expect(index.match({ ...CALL, org: "other" })).toBeNull();
  });

  // proves KILL-07
  it("stops every call of the organization when account-wide, whatever the scope says", () => {
    const index = new KillSwitchIndex();
    index.apply("default", killSwitch({ scope: "global", target_id: null, account_wide: true }));
    expect(index.match({ ...CALL, agentId: "x", namespace: "y", tool: "z", sessionId: null })).not.toBeNull();
    expect(index.match({ ...CALL, org: "other" })).toBeNull();
  });

  it("lets calls pass once the switch has ended, and ignores the end of an older one on its target", () => {
    const index = new KillSwitchIndex();
    index.apply("default", killSwitch({ kill_switch_id: "ks_old" }));
    index.apply("default", killSwitch({ kill_switch_id: "ks_new" }));
    index.apply("default", killSwitch({ kill_switch_id: "ks_old", status: "inactive" }));
    expect(index.match(CALL)?.kill_switch_id).toBe("ks_new");
    index.apply("default", killSwitch({ kill_switch_id: "ks_new", status: "inactive" }));
    expect(index.match(CALL)).toBeNull();
    expect(index.size).toBe(0);
  });

  // proves KILL-25
  it("takes the same steps for a call whether there are 10 switches or 100,000", () => {
    const lookups = (switches: number): number => {
      const index = new KillSwitchIndex();
      for (let at = 0; at < switches; at += 1) {
        const target = `other-${String(at)}`;
        index.apply("default", killSwitch({ kill_switch_id: `ks_${target}`, target_id: target }));
      }
      const get = vi.spyOn(Map.prototype, "get");
      expect(index.match(CALL)).toBeNull();
      const calls = get.mock.calls.length;
      get.mockRestore();
      return calls;
    };
    const few = lookups(10);
    expect(few).toBeGreaterThan(0);
    expect(lookups(100_000)).toBe(few);
  });

  it("refuses a record that names nothing", () => {
    const index = new KillSwitchIndex();
    expect(() => index.apply("default", killSwitch({ target_id: null }))).toThrow("no target_id");
    expect(() => index.apply("default", killSwitch({ scope: "global" }))).toThrow("not account-wide");
  });
});
