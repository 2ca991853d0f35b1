import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ControlFollower } from "./control-follower.ts";
import { ControlState } from "./control-state.ts";
import { StoreOutage } from "./store-outage.ts";
import { FakeClock, recordingLog } from "./testing/fake-ports.ts";
import { FakeFeed, killSwitch } from "./testing/fake-store.ts";

const CALL = { org: "default", namespace: "default", agentId: "agent-1", sessionId: null, tool: "t" };

function setUp() {
  const feed = new FakeFeed();
  const clock = new FakeClock();
  const state = new ControlState();
  const log = recordingLog();
  return {
    feed,
    clock,
    state,
    log,
    follower: new ControlFollower({ feed, state, clock, log, outage: new StoreOutage({ clock, log }) }),
  };
}

describe("ControlFollower", () => {
  afterEach(() => vi.useRealTimers());

  // proves STATE-03
  it("is unverified until the first snapshot is in", async () => {
    const { feed, follower, state } = setUp();
    feed.putSwitch({});
    expect(follower.ageMs).toBe(Number.POSITIVE_INFINITY);
    await follower.start();
    follower.stop();
    expect(state.killSwitchFor(CALL)?.kill_switch_id).toBe("ks_1");
  });

  // proves STATE-02
  it("S1: applies events in order and reports the revision in force", async () => {
    const { feed, follower, state } = setUp();
    await follower.start();
    const { kill_switch_id } = feed.putSwitch({});
    expect(await follower.catchUp()).toBe(1);
    expect(state.killSwitchFor(CALL)?.kill_switch_id).toBe(kill_switch_id);
    feed.put({ kind: "kill_switch", record: killSwitch({ status: "inactive" }) });
    expect(await follower.catchUp()).toBe(2);
    expect(state.killSwitchFor(CALL)).toBeNull();
    follower.stop();
  });

  it("a caller never shares a read that was sent before its change was committed", async () => {
    const { feed, follower } = setUp();
    await follower.start();
    const held = Promise.withResolvers<void>();
    feed.beforeRead = () => held.promise;
    const readEvents = feed.eventsAfter.bind(feed);
    vi.spyOn(feed, "eventsAfter").mockImplementationOnce(async () => {
      await held.promise;
      return [];
    });
    const first = follower.catchUp();
    feed.putSwitch({});
    const second = follower.catchUp();
    held.resolve();
    expect(await second).toBe(1);
    await first;
    expect(await readEvents(0, 10)).toHaveLength(1);
    follower.stop();
  });

  // proves STATE-02
  it("S1: a gap means a fresh snapshot, and nothing is verified before it is in", async () => {
    const { feed, follower, state } = setUp();
    await follower.start();
    feed.events.push({
      revision: 2,
      org: "default",
      change: { kind: "kill_switch", record: killSwitch({}) },
    });
    await expect(follower.catchUp()).rejects.toThrow("does not follow");
    expect(follower.ageMs).toBe(Number.POSITIVE_INFINITY);
    feed.events[0] = { revision: 1, org: "default", change: { kind: "kill_switch", record: killSwitch({}) } };
    await follower.catchUp();
    expect(follower.ageMs).toBe(0);
    expect(state.killSwitchFor(CALL)).not.toBeNull();
    follower.stop();
  });

  it("S2: counts its age from when the last successful read was sent", async () => {
    const { feed, clock, follower } = setUp();
    await follower.start();
    const held = Promise.withResolvers<void>();
    feed.beforeRead = () => held.promise;
    const reading = follower.catchUp();
    clock.ms += 700;
    held.resolve();
    await reading;
    expect(follower.ageMs).toBe(700);
    feed.beforeRead = () => Promise.reject(new Error("store down"));
    clock.ms += 1_000;
    await expect(follower.catchUp()).rejects.toThrow("store down");
    expect(follower.ageMs).toBe(1_700);
    follower.stop();
  });

  it("reads by itself while nobody announces anything", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { feed, follower, state } = setUp();
    await follower.start();
    feed.putSwitch({});
    vi.advanceTimersByTime(250);
    await vi.waitFor(() => expect(state.revision).toBe(1));
    follower.stop();
  });

  // proves STATE-09
  it.each([
    { what: "the machine slept for an hour", jumpMs: 3_600_000 },
    { what: "the wall clock went back by a day", jumpMs: -86_400_000 },
    { what: "the wall clock went on by just more than the lease", jumpMs: CONTROL_LEASE_MS + 1 },
  ])("counts as unverified when $what, until control state has been read again", async ({ jumpMs }) => {
    const { clock, follower } = setUp();
    await follower.start();
    expect(follower.ageMs).toBe(0);
    clock.wallOffsetMs = jumpMs;
    expect(follower.ageMs).toBe(Math.abs(jumpMs));
    expect(follower.ageMs).toBeGreaterThan(CONTROL_LEASE_MS);
    await follower.catchUp();
    expect(follower.ageMs).toBe(0);
    follower.stop();
  });

  // proves STATE-09
  it("a read that was sent before the machine slept verifies nothing after it", async () => {
    const { clock, feed, follower } = setUp();
    await follower.start();
    const answered = Promise.withResolvers<void>();
    feed.beforeRead = () => answered.promise;
    const reading = follower.catchUp();
    clock.wallOffsetMs = 3_600_000;
    answered.resolve();
    await reading;
    expect(follower.ageMs).toBeGreaterThan(CONTROL_LEASE_MS);
    follower.stop();
  });

  it("a clock that is set by less than the lease changes nothing", async () => {
    const { clock, follower } = setUp();
    await follower.start();
    clock.wallOffsetMs = -1_000;
    expect(follower.ageMs).toBeLessThan(CONTROL_LEASE_MS);
    follower.stop();
  });
});
