import type { PolicyAssignmentRecord } from "@svc/contract/policy";
import { killSwitch } from "@svc/control-feed/testing/fake-feed";
import { loadAtOnce } from "@svc/control-feed/testing/load-at-once";
import { describe, expect, it, vi } from "vitest";
import { directLoader } from "../testing/direct-reader.ts";
import { ControlState } from "./control-state.ts";
import { killSwitchesSince } from "./kill-switches-since.ts";

const ORG = "default";

function stateOf(count: number): ControlState {
  const state = new ControlState(directLoader());
  for (let revision = 1; revision <= count; revision += 1) put(state, revision, {});
  return state;
}

function put(
  state: ControlState,
  revision: number,
  known: Parameters<typeof killSwitch>[0],
  org = ORG,
): void {
  const named = { kill_switch_id: `ks_${String(revision)}`, target_id: `agent-${String(revision)}` };
  state.apply({ revision, org, change: { kind: "kill_switch", record: killSwitch({ ...named, ...known }) } });
}

const idsAfter = (state: ControlState, after: number | null) => {
  const { isComplete, records } = killSwitchesSince(state, ORG, after);
  return [isComplete, records.map(({ kill_switch_id, status }) => `${kill_switch_id} ${status}`)];
};

// proves MCP-22
describe("kill switches since a revision", () => {
  it("without a revision it is every active switch", () => {
    const state = stateOf(2);
    put(state, 3, { kill_switch_id: "ks_1", target_id: "agent-1", status: "inactive" });
    expect(idsAfter(state, null)).toEqual([true, ["ks_2 active"]]);
    expect(killSwitchesSince(state, ORG, null).revision).toBe(3);
  });

  it("behind a revision it is what changed since, in order, also what ended again", () => {
    const state = stateOf(2);
    put(state, 3, {});
    put(state, 4, { kill_switch_id: "ks_3", target_id: "agent-3", status: "inactive" });
    expect(idsAfter(state, 2)).toEqual([false, ["ks_3 active", "ks_3 inactive"]]);
    expect(idsAfter(state, 4)).toEqual([false, []]);
  });

  it("is of one organization alone", () => {
    const state = stateOf(1);
    put(state, 2, {}, "other");
    expect(idsAfter(state, 1)).toEqual([false, []]);
    expect(idsAfter(state, null)).toEqual([true, ["ks_1 active"]]);
    expect(killSwitchesSince(state, "nobody", null).records).toEqual([]);
  });

  it("is complete again behind a snapshot, and for a revision that is not reached", () => {
    const state = stateOf(3);
    expect(idsAfter(state, 4)[0]).toBe(true);
    const change = { kind: "kill_switch", record: killSwitch({}) } as const;
    loadAtOnce(state, { revision: 9, changes: [{ org: ORG, change }] });
    expect(idsAfter(state, 3)).toEqual([true, ["ks_1 active"]]);
    expect(idsAfter(state, 9)).toEqual([false, []]);
  });

  // proves MCP-26
  it("names another epoch in each process, and behind a snapshot of a restored backup", () => {
    const names = ["one", "two"];
    const state = new ControlState(directLoader(), () => names.shift() ?? "three");
    const epoch = () => killSwitchesSince(state, ORG, null).epoch;
    loadAtOnce(state, { revision: 9, changes: [] });
    state.apply({
      revision: 10,
      org: ORG,
      change: { kind: "assignment", record: { id: "asg_1" } as PolicyAssignmentRecord, removed: true },
    });
    loadAtOnce(state, { revision: 10, changes: [] });
    expect(epoch()).toBe("one");
    loadAtOnce(state, { revision: 9, changes: [] });
    expect(epoch()).toBe("two");
    expect(killSwitchesSince(new ControlState(directLoader()), ORG, null).epoch).not.toBe(
      killSwitchesSince(new ControlState(directLoader()), ORG, null).epoch,
    );
  });

  it("forgets what is older than the newest changes, and says so", () => {
    const state = stateOf(15_002);
    expect(idsAfter(state, 4_000)[0]).toBe(true);
    const { isComplete, records } = killSwitchesSince(state, ORG, 6_000);
    expect([isComplete, records.length]).toEqual([false, 9_002]);
    expect(records[0]?.kill_switch_id).toBe("ks_6001");
  });

  it("calls back at a change of the own organization, and at a snapshot, until it is told to stop", () => {
    const state = stateOf(0);
    const wake = vi.fn();
    const stop = state.killSwitchFeed.follow(ORG, wake);
    put(state, 1, {}, "other");
    expect(wake).toHaveBeenCalledTimes(0);
    put(state, 2, {});
    loadAtOnce(state, { revision: 5, changes: [] });
    expect(wake).toHaveBeenCalledTimes(2);
    stop();
    put(state, 6, {});
    expect(wake).toHaveBeenCalledTimes(2);
  });
});
