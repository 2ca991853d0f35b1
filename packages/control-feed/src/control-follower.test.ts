import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ControlFollower } from "./control-follower.ts";
import { FakeClock } from "@svc/process/testing/fake-clock";
import { recordingLogger } from "@svc/process/testing/recording-logger";
import type { ControlEvent, ControlSnapshot } from "@svc/store/ports/control-change";
import type { ControlSubscriber } from "./control-subscriber.ts";
import { FakeFeed, killSwitch } from "./testing/fake-feed.ts";

/** Keeps the switches that are active. */
class ActiveSwitches implements ControlSubscriber {
  revision = 0;
  ids: readonly string[] = [];

  load({ revision, changes }: ControlSnapshot): void {
    this.ids = [];
    for (const { change } of changes) this.#note(change);
    this.revision = revision;
  }

  apply({ revision, change }: ControlEvent): void {
    if (revision !== this.revision + 1) throw new Error(`${String(revision)} does not follow`);
    this.#note(change);
    this.revision = revision;
  }

  #note(change: ControlEvent["change"]): void {
    if (change.kind !== "kill_switch") return;
    const { kill_switch_id: id, status } = change.record;
    this.ids = this.ids.filter((other) => other !== id).concat(status === "active" ? [id] : []);
  }
}

function setUp() {
  const feed = new FakeFeed();
  const clock = new FakeClock();
  const state = new ActiveSwitches();
  const log = recordingLogger();
  return {
    feed,
    clock,
    state,
    log,
    follower: new ControlFollower({ feed, state, clock, log, outage: { failed() {}, recovered() {} } }),
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
    expect(state.ids).toEqual(["ks_1"]);
  });

  // proves STATE-02
  it("S1: applies events in order and reports the revision in force", async () => {
    const { feed, follower, state } = setUp();
    await follower.start();
    const { kill_switch_id } = feed.putSwitch({});
    expect(await follower.catchUp()).toBe(1);
    expect(state.ids).toEqual([kill_switch_id]);
    feed.put({ kind: "kill_switch", record: killSwitch({ status: "inactive" }) });
    expect(await follower.catchUp()).toBe(2);
    expect(state.ids).toEqual([]);
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
    expect(state.ids).toEqual(["ks_1"]);
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
