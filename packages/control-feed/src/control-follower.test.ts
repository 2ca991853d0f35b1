import { setImmediate as nextTurn } from "node:timers/promises";
import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { FakeClock } from "@svc/process/testing/fake-clock";
import { recordingLogger } from "@svc/process/testing/recording-logger";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { ControlFollower } from "./control-follower.ts";
import { momentOf } from "./moment.ts";
import { FakeFeed, killSwitch } from "./testing/fake-feed.ts";
import { RecordingSubscriber } from "./testing/recording-subscriber.ts";

function setUp() {
  const feed = new FakeFeed();
  const clock = new FakeClock();
  const log = recordingLogger();
  const outage = { failed() {}, recovered() {} };
  const follower = new ControlFollower({ feed, clock, log, outage });
  onTestFinished(() => follower.stop());
  const subscribe = (name = "gateway") => {
    const subscriber = new RecordingSubscriber();
    return { subscriber, followed: follower.subscribe(subscriber, { name, consequence: "nothing" }) };
  };
  return { feed, clock, log, follower, subscribe };
}

/** A follower with one subscriber that has loaded its first snapshot. */
async function following() {
  const parts = setUp();
  const { subscriber, followed } = parts.subscribe();
  await followed.catchUp();
  return { ...parts, subscriber, followed };
}

/** Answers the next snapshot late, with what was there when it was asked for. */
function holdSnapshot(feed: FakeFeed): PromiseWithResolvers<void> {
  const held = Promise.withResolvers<void>();
  const snapshot = feed.snapshot.bind(feed);
  vi.spyOn(feed, "snapshot").mockImplementationOnce(async () => {
    const early = await snapshot();
    await held.promise;
    return early;
  });
  return held;
}

/** Puts a switch behind a gap. */
function leaveGap(feed: FakeFeed): void {
  feed.leaveOut();
  feed.putSwitch({ kill_switch_id: "ks_behind", target_id: "agent-2" });
}

describe("ControlFollower", () => {
  afterEach(() => vi.useRealTimers());

  // proves STATE-03
  it("is unverified until the first snapshot is in", async () => {
    const { feed, subscribe } = setUp();
    const { subscriber, followed } = subscribe();
    feed.putSwitch({});
    expect(followed.ageMs).toBe(Number.POSITIVE_INFINITY);
    await followed.catchUp();
    expect(followed.ageMs).toBe(0);
    expect(subscriber.ids).toEqual(["ks_1"]);
  });

  it("reads nothing to catch up to a revision that it has or is reading", async () => {
    const { feed, follower, followed } = await following();
    feed.putSwitch({});
    const { revision } = await feed.snapshot();
    const eventsAfter = vi.spyOn(feed, "eventsAfter");
    follower.wake();
    expect(await followed.catchUpTo(revision)).toBe(revision);
    expect(await followed.catchUpTo(revision)).toBe(revision);
    expect(eventsAfter).toHaveBeenCalledTimes(1);
    feed.putSwitch({});
    expect(await followed.catchUpTo(revision + 1)).toBe(revision + 1);
    expect(eventsAfter).toHaveBeenCalledTimes(2);
  });

  // proves STATE-02
  it("S1: applies events in order and reports the revision in force", async () => {
    const { feed, followed, subscriber } = await following();
    const { kill_switch_id } = feed.putSwitch({});
    expect(await followed.catchUp()).toBe(1);
    expect(subscriber.ids).toEqual([kill_switch_id]);
    feed.put({ kind: "kill_switch", record: killSwitch({ status: "inactive" }) });
    expect(await followed.catchUp()).toBe(2);
    expect(subscriber.ids).toEqual([]);
  });

  it("S1: starts over from a snapshot when the database is another, whatever revisions it has", async () => {
    const { feed, clock, follower, followed, subscriber } = await following();
    feed.putSwitch({});
    await followed.catchUp();
    const restored = new FakeFeed();
    restored.putSwitch({ kill_switch_id: "ks_restored" });
    vi.spyOn(feed, "snapshot").mockImplementation(() => restored.snapshot());
    vi.spyOn(feed, "eventsAfter").mockImplementation((...asked) => restored.eventsAfter(...asked));
    await followed.catchUp();
    expect(subscriber.ids).toEqual(["ks_1"]);
    clock.ms += 1;
    follower.startOver(new Error("restored"));
    expect([followed.ageMs, followed.appliedRevision]).toEqual([Number.POSITIVE_INFINITY, null]);
    expect(await followed.catchUp()).toBe(1);
    expect(subscriber.ids).toEqual(["ks_restored"]);
  });

  it("S1: a snapshot that was asked for before it started over does not count", async () => {
    const { feed, clock, follower, followed, subscriber } = await following();
    const held = holdSnapshot(feed);
    follower.startOver(new Error("restored"));
    clock.ms += 1;
    follower.startOver(new Error("restored again"));
    feed.putSwitch({});
    held.resolve();
    expect(await followed.catchUp()).toBe(1);
    expect(subscriber.ids).toEqual(["ks_1"]);
    expect(subscriber.given).not.toContain("event 1");
  });

  it("S1: logs each snapshot and event that a part applied, for those who check the feed", async () => {
    const { feed, log, followed } = await following();
    await followed.catchUp();
    feed.putSwitch({});
    await followed.catchUp();
    expect(log.debugFields).toEqual([
      { subscriber: "gateway", revision: 0, by: "snapshot" },
      { subscriber: "gateway", revision: 1, by: "event", change: "kill_switch" },
    ]);
  });

  it("S4: a part that subscribes soon after another shares its snapshot, then reads events", async () => {
    const { feed, clock, follower, subscribe } = await following();
    const snapshot = vi.spyOn(feed, "snapshot");
    feed.putSwitch({});
    clock.ms += 10;
    const second = subscribe("keys");
    expect(await second.followed.catchUp()).toBe(1);
    expect(second.subscriber.given).toEqual(["snapshot 0", "event 1"]);
    expect([second.followed.ageMs, snapshot.mock.calls.length]).toEqual([0, 0]);
    follower.startOver(new Error("restored"));
    const third = subscribe("ttl expiry");
    await third.followed.catchUp();
    expect(third.subscriber.given).toEqual(["snapshot 1"]);
    expect(snapshot).toHaveBeenCalled();
  });

  it("S1: asks for a snapshot as soon as a part needs one", async () => {
    const { feed, follower, subscriber } = await following();
    feed.put({ kind: "kill_switch", record: killSwitch({}) });
    subscriber.before = () => {
      subscriber.before = () => {};
      throw new Error("unknown kind");
    };
    follower.wake();
    await vi.waitFor(() => expect(subscriber.given).toEqual(["snapshot 0", "snapshot 1"]), CONDITION_MS);
  });

  it("S7: reads again at once when a change is announced, and also after a read that runs", async () => {
    const { feed, follower, subscriber } = await following();
    feed.putSwitch({});
    follower.wake();
    follower.wake();
    await vi.waitFor(() => expect(subscriber.ids).toHaveLength(1), CONDITION_MS);
    follower.stop();
    feed.putSwitch({});
    follower.wake();
    await nextTurn();
    expect(subscriber.ids).toHaveLength(1);
  });

  it("S7: a process that the others do not know of is unverified, whatever it has read", async () => {
    const { feed, clock, log } = setUp();
    const membership = { isCurrent: true, noteRead: vi.fn<() => void>() };
    const outage = { failed() {}, recovered() {} };
    const follower = new ControlFollower({ feed, clock, log, outage, membership });
    onTestFinished(() => follower.stop());
    const followed = follower.subscribe(new RecordingSubscriber(), {
      name: "gateway",
      consequence: "nothing",
    });
    expect(followed.appliedRevision).toBeNull();
    await followed.catchUp();
    expect([followed.ageMs, followed.appliedRevision]).toEqual([0, 0]);
    expect(membership.noteRead).toHaveBeenCalled();
    membership.isCurrent = false;
    expect(followed.ageMs).toBe(Number.POSITIVE_INFINITY);
    membership.isCurrent = true;
    expect(followed.ageMs).toBe(0);
  });

  it("S7: a read that was sent before the others knew of this process proves nothing", async () => {
    const { feed, clock, follower, followed } = await following();
    const held = Promise.withResolvers<void>();
    vi.spyOn(feed, "eventsAfter").mockImplementationOnce(async () => {
      await held.promise;
      return [];
    });
    const reading = followed.catchUp();
    clock.ms += 10;
    follower.expire(momentOf(clock));
    held.resolve();
    await reading;
    expect(followed.ageMs).toBe(Number.POSITIVE_INFINITY);
    await followed.catchUp();
    expect(followed.ageMs).toBe(0);
  });

  it("a caller never shares a read that was sent before its change was committed", async () => {
    const { feed, followed } = await following();
    const held = Promise.withResolvers<void>();
    feed.beforeRead = () => held.promise;
    const readEvents = feed.eventsAfter.bind(feed);
    vi.spyOn(feed, "eventsAfter").mockImplementationOnce(async () => {
      await held.promise;
      return [];
    });
    const first = followed.catchUp();
    feed.putSwitch({});
    const second = followed.catchUp();
    held.resolve();
    expect(await second).toBe(1);
    await first;
    expect(await readEvents(0, 10)).toHaveLength(1);
  });

  // proves STATE-02
  it("S1: a gap means a snapshot; until then the state before it is verified as of its read", async () => {
    const { feed, clock, followed, subscriber } = await following();
    feed.putSwitch({ kill_switch_id: "ks_before" });
    clock.ms += 100;
    leaveGap(feed);
    const held = holdSnapshot(feed);
    const caughtUp = followed.catchUp();
    await expect.poll(() => followed.appliedRevision).toBeNull();
    // What came before the gap is in force, but only what the last whole read found is verified.
    expect([followed.ageMs, subscriber.ids]).toEqual([100, ["ks_before"]]);
    clock.ms += CONTROL_LEASE_MS;
    expect(followed.ageMs).toBe(CONTROL_LEASE_MS + 100);
    held.resolve();
    expect(await caughtUp).toBe(3);
    expect([followed.ageMs, subscriber.ids]).toEqual([CONTROL_LEASE_MS, ["ks_before", "ks_behind"]]);
  });

  // proves STATE-02
  it("S1: a gap is never acknowledged, and reads that find it prove nothing", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { feed, clock, follower, followed } = await following();
    feed.putSwitch({});
    leaveGap(feed);
    vi.spyOn(feed, "snapshot").mockRejectedValue(new Error("store down"));
    follower.start();
    for (let at = 1; at <= 8; at += 1) {
      clock.ms += 250;
      vi.advanceTimersByTime(250);
      for (let turn = 0; turn < 4; turn += 1) await nextTurn();
      expect([followed.ageMs, followed.appliedRevision]).toEqual([at * 250, null]);
    }
  });

  it("S1: a snapshot that is refused behind a gap ends what was verified before it", async () => {
    const { feed, followed, subscriber } = await following();
    feed.putSwitch({});
    leaveGap(feed);
    subscriber.before = (what) => {
      if (what.startsWith("snapshot")) throw new Error("defect");
    };
    await expect(followed.catchUp()).rejects.toThrow("defect");
    expect(followed.ageMs).toBe(Number.POSITIVE_INFINITY);
  });

  it("S4: loads a snapshot in slices, and drops one that stopped counting meanwhile", async () => {
    const { feed, clock, follower, followed, subscriber } = await following();
    feed.putSwitch({ kill_switch_id: "ks_1" });
    leaveGap(feed);
    const load = subscriber.load.bind(subscriber);
    let turns = 0;
    const startOverInside = Promise.withResolvers<void>();
    vi.spyOn(subscriber, "load").mockImplementationOnce(function* slowly(snapshot) {
      for (const _step of load(snapshot)) {
        // A slice is over after each step.
        clock.ms += 10;
        turns += 1;
        setImmediate(startOverInside.resolve);
        yield;
      }
    });
    const caughtUp = followed.catchUp().catch(String);
    await startOverInside.promise;
    expect([turns, subscriber.ids]).toEqual([1, ["ks_1"]]);
    follower.startOver(new Error("restored"));
    expect(await caughtUp).toContain("restored");
    expect([turns, subscriber.given, followed.ageMs]).toEqual([
      1,
      ["snapshot 0", "event 1"],
      Number.POSITIVE_INFINITY,
    ]);
    expect(await followed.catchUp()).toBe(3);
    expect(subscriber.given).toEqual(["snapshot 0", "event 1", "snapshot 3"]);
  });

  // proves STATE-02
  it("a change that cannot be applied is not verified before a snapshot that can be is in", async () => {
    const { feed, followed, log, subscriber } = await following();
    feed.putSwitch({});
    subscriber.before = () => {
      throw new Error("unknown kind");
    };
    await expect(followed.catchUp()).rejects.toThrow("unknown kind");
    expect(followed.ageMs).toBe(Number.POSITIVE_INFINITY);
    expect(log.messages.at(-1)).toContain("control state could not be applied");
    subscriber.before = () => {};
    expect(await followed.catchUp()).toBe(1);
    expect([followed.ageMs, subscriber.given]).toEqual([0, ["snapshot 0", "snapshot 1"]]);
  });

  // proves STATE-02
  it("a change that nobody can read is not verified before a snapshot is in", async () => {
    const { feed, followed, log, subscriber } = await following();
    feed.putSwitch({});
    vi.spyOn(feed, "eventsAfter").mockResolvedValueOnce([
      { revision: 1, org: "org", change: { kind: "unreadable" } },
    ]);
    expect(await followed.catchUp()).toBe(1);
    expect(log.messages.at(-1)).toContain("control state could not be applied");
    expect(subscriber.given).toEqual(["snapshot 0", "snapshot 1"]);
  });

  it("takes nothing for current from a subscriber that says another revision than it was given", async () => {
    const { feed, followed, subscriber } = await following();
    feed.putSwitch({});
    subscriber.apply = () => {};
    subscriber.load = function* load() {
      yield;
    };
    await expect(followed.catchUp()).rejects.toThrow("expected to be at revision 1");
    expect(followed.ageMs).toBe(Number.POSITIVE_INFINITY);
  });

  it("S2: counts its age from when the last successful read was sent", async () => {
    const { feed, clock, followed } = await following();
    const held = Promise.withResolvers<void>();
    feed.beforeRead = () => held.promise;
    const reading = followed.catchUp();
    clock.ms += 700;
    held.resolve();
    await reading;
    expect(followed.ageMs).toBe(700);
    feed.beforeRead = () => Promise.reject(new Error("store down"));
    clock.ms += 1_000;
    await expect(followed.catchUp()).rejects.toThrow("store down");
    expect(followed.ageMs).toBe(1_700);
  });

  it("reads by itself while nobody announces anything", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { feed, follower, subscriber } = await following();
    follower.start();
    feed.putSwitch({});
    vi.advanceTimersByTime(250);
    await vi.waitFor(() => expect(subscriber.revision).toBe(1), CONDITION_MS);
  });

  // proves STATE-09
  it.each([
    { what: "the machine slept for an hour", jumpMs: 3_600_000 },
    { what: "the wall clock went back by a day", jumpMs: -86_400_000 },
    { what: "the wall clock went on by just more than the lease", jumpMs: CONTROL_LEASE_MS + 1 },
  ])("counts as unverified when $what, until control state has been read again", async ({ jumpMs }) => {
    const { clock, followed } = await following();
    expect(followed.ageMs).toBe(0);
    clock.wallOffsetMs = jumpMs;
    expect(followed.ageMs).toBe(Math.abs(jumpMs));
    expect(followed.ageMs).toBeGreaterThan(CONTROL_LEASE_MS);
    await followed.catchUp();
    expect(followed.ageMs).toBe(0);
  });

  // proves STATE-09
  it("a read that was sent before the machine slept verifies nothing after it", async () => {
    const { clock, feed, followed } = await following();
    const answered = Promise.withResolvers<void>();
    feed.beforeRead = () => answered.promise;
    const reading = followed.catchUp();
    clock.wallOffsetMs = 3_600_000;
    answered.resolve();
    await reading;
    expect(followed.ageMs).toBeGreaterThan(CONTROL_LEASE_MS);
  });

  it("a clock that is set by less than the lease changes nothing", async () => {
    const { clock, followed } = await following();
    clock.wallOffsetMs = -1_000;
    expect(followed.ageMs).toBeLessThan(CONTROL_LEASE_MS);
  });
});

describe("with several subscribers", () => {
  afterEach(() => vi.useRealTimers());

  /** Two subscribers that have loaded the first snapshot. */
  async function two() {
    const parts = setUp();
    const [one, other] = [parts.subscribe("one"), parts.subscribe("other")];
    await one.followed.catchUp();
    return { ...parts, one, other };
  }

  it("reads once for all of them", async () => {
    const { feed, one, other } = await two();
    const reads = vi.spyOn(feed, "eventsAfter");
    feed.putSwitch({});
    await one.followed.catchUp();
    expect([one.subscriber.ids, other.subscriber.ids]).toEqual([["ks_1"], ["ks_1"]]);
    expect([other.followed.ageMs, reads.mock.calls.length]).toEqual([0, 1]);
  });

  // proves STATE-10
  it("one that throws leaves the others as they are", async () => {
    const { feed, one, other } = await two();
    feed.putSwitch({});
    one.subscriber.before = () => {
      throw new Error("defect");
    };
    expect(await other.followed.catchUp()).toBe(1);
    expect([other.followed.ageMs, other.subscriber.ids]).toEqual([0, ["ks_1"]]);
    expect(one.followed.ageMs).toBe(Number.POSITIVE_INFINITY);
    await expect(one.followed.catchUp()).rejects.toThrow("defect");
    expect(other.subscriber.given).toEqual(["snapshot 0", "event 1"]);
  });

  // proves STATE-10
  it("the snapshot that one of them waits for delays no event of the others", async () => {
    const { feed, one, other } = await two();
    const held = holdSnapshot(feed);
    one.subscriber.before = (what) => {
      if (what === "event 1") throw new Error("defect");
    };
    feed.putSwitch({});
    const recovering = one.followed.catchUp();
    await expect.poll(() => one.followed.ageMs).toBe(Number.POSITIVE_INFINITY);
    feed.putSwitch({ kill_switch_id: "ks_2", target_id: "agent-2" });
    expect(await other.followed.catchUp()).toBe(2);
    held.resolve();
    expect(await recovering).toBe(1);
    // What came between the snapshot and now is read again, for the late one alone.
    expect(await one.followed.catchUp()).toBe(2);
    expect(one.subscriber.given).toEqual(["snapshot 0", "snapshot 1", "event 2"]);
    expect(other.subscriber.given).toEqual(["snapshot 0", "event 1", "event 2"]);
  });

  it("asks less and less often for a snapshot that one of them refuses, and at once when asked", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { clock, feed, follower, one, other } = await two();
    const snapshots = vi.spyOn(feed, "snapshot");
    one.subscriber.before = () => {
      throw new Error("defect");
    };
    feed.putSwitch({});
    follower.start();
    for (let at = 0; at < 240; at += 1) {
      clock.ms += 250;
      vi.advanceTimersByTime(250);
      for (let turn = 0; turn < 4; turn += 1) await nextTurn();
      expect(other.followed.ageMs).toBe(0);
    }
    // A minute: at once, then after 0.25, 0.5, 1, 2 and 4 seconds, then every 5 seconds.
    expect(snapshots.mock.calls.length).toBeLessThan(20);
    one.subscriber.before = () => {};
    expect(await one.followed.catchUp()).toBe(1);
  });

  it("a read under way when it stops proves nothing", async () => {
    const { feed, follower, one, other } = await two();
    const held = Promise.withResolvers<void>();
    feed.beforeRead = () => held.promise;
    const reading = one.followed.catchUp();
    follower.stop();
    held.resolve();
    await reading;
    expect([one.followed.ageMs, other.followed.ageMs]).toEqual(Array(2).fill(Number.POSITIVE_INFINITY));
  });
});
