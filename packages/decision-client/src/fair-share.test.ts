import { describe, expect, it } from "vitest";
import { FairShare, MAX_WAITING_PER_AGENT } from "./fair-share.ts";

/** Enters questions of agents, and keeps who has started and how each leaves. */
function shareOf(places: number) {
  const share = new FairShare(places);
  const started: string[] = [];
  const leaves: (() => void)[] = [];
  const enter = (agentId: string, name = agentId): boolean => {
    const entered = share.enter(agentId, () => started.push(name));
    if (entered.kind === "entered") leaves.push(entered.leave);
    return entered.kind === "entered";
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
    const first = share.enter("a", () => {});
    const leaves: (() => void)[] = [];
    for (let index = 0; index < 2_000; index += 1) {
      const entered = share.enter("a", () => leaves[index]?.());
      if (entered.kind === "entered") leaves.push(entered.leave);
    }
    if (first.kind === "entered") first.leave();
    let isFree = false;
    share.enter("a", () => {
      isFree = true;
    });
    expect(isFree).toBe(true);
  });
});
