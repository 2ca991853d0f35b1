import { describe, expect, it } from "vitest";
import { FairShare, MAX_WAITING_PER_AGENT, type Turn } from "./fair-share.ts";

function turnOf(agentId: string, start: () => void): Turn {
  return { agentId, state: "outside", start };
}

/** Enters questions of agents, and keeps who has started and how each leaves. */
function shareOf(places: number) {
  const share = new FairShare(places);
  const started: string[] = [];
  const leaves: (() => void)[] = [];
  const enter = (agentId: string, name = agentId): boolean => {
    const turn = turnOf(agentId, () => started.push(name));
    const hasEntered = share.enter(turn) === "entered";
    if (hasEntered) leaves.push(() => share.leave(turn));
    return hasEntered;
  };
  const leave = (index: number): void => leaves[index]?.();
  const enterMany = (agentId: string, count: number): void => {
    for (let index = 0; index < count; index += 1) enter(agentId);
  };
  return {
    started,
    enter,
    enterMany,
    leave,
    startedBy: (id: string) => started.filter((by) => by === id).length,
  };
}

// proves FAIL-09
describe("places that agents share", () => {
  it("one agent alone takes half, so that another begins at once", () => {
    const { enterMany, enter, startedBy } = shareOf(8);
    enterMany("greedy", 100);
    expect(startedBy("greedy")).toBe(4);
    enter("modest");
    expect(startedBy("modest")).toBe(1);
  });

  it("with more agents each takes less, and there is still room for another", () => {
    const { enterMany, startedBy } = shareOf(12);
    for (const agent of ["a", "b", "c"]) enterMany(agent, 100);
    expect([startedBy("a"), startedBy("b"), startedBy("c")]).toEqual([6, 4, 2]);
  });

  it("a place that is given back goes to who waits and holds the fewest", () => {
    const { started, enterMany, enter, leave } = shareOf(3);
    enterMany("greedy", 5);
    enter("second");
    enter("third");
    enter("second", "second again");
    expect(started).toEqual(["greedy", "second", "third"]);
    leave(0);
    expect(started.at(-1)).toBe("greedy");
    leave(5);
    leave(6);
    expect(started.slice(4)).toContain("second again");
  });

  it("who waits keeps its order, and leaves without a turn when it gives up", () => {
    const { started, enter, leave } = shareOf(2);
    for (const name of ["1", "2", "3", "4"]) enter("a", name);
    leave(1);
    leave(0);
    leave(0);
    expect(started).toEqual(["1", "3"]);
    leave(2);
    expect(started).toEqual(["1", "3", "4"]);
    leave(3);
    enter("a", "5");
    expect(started.at(-1)).toBe("5");
  });

  it("past the bound the next question of that agent is refused, and others are not", () => {
    const { enter, enterMany, startedBy } = shareOf(2);
    enterMany("greedy", MAX_WAITING_PER_AGENT + 1);
    expect(enter("greedy")).toBe(false);
    expect([enter("modest"), startedBy("modest")]).toEqual([true, 1]);
  });

  it("thousands that are over within their start do not pile up", () => {
    const share = new FairShare(2);
    const first = turnOf("a", () => {});
    share.enter(first);
    for (let index = 0; index < 2_000; index += 1) {
      const turn = turnOf("a", () => share.leave(turn));
      share.enter(turn);
    }
    share.leave(first);
    let isFree = false;
    share.enter(
      turnOf("a", () => {
        isFree = true;
      }),
    );
    expect(isFree).toBe(true);
  });

  it("agents that were at work take nothing from those that are", () => {
    const { enter, enterMany, leave, startedBy } = shareOf(8);
    for (let agent = 0; agent < 1_000; agent += 1) {
      enter(`agent-${String(agent)}`);
      leave(agent);
    }
    enterMany("agent-0", 100);
    expect(startedBy("agent-0")).toBe(1 + 4);
    enterMany("agent-999", 100);
    expect(startedBy("agent-999")).toBe(1 + 2);
  });

  it("a question that has left, or was refused, gives nothing back", () => {
    const share = new FairShare(1);
    const [first, second] = [turnOf("a", () => {}), turnOf("b", () => {})];
    share.enter(first);
    share.leave(second);
    share.leave(first);
    share.leave(first);
    share.enter(second);
    const started: string[] = [];
    share.enter(turnOf("c", () => started.push("c")));
    expect([first.state, second.state, started]).toEqual(["outside", "begun", []]);
  });
});
