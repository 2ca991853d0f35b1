import { setImmediate as nextTurn } from "node:timers/promises";
import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { FakeClock } from "@svc/process/testing/fake-clock";
import { recordingLogger } from "@svc/process/testing/recording-logger";
import { expect, it, onTestFinished, vi } from "vitest";
import { ControlFollower } from "./control-follower.ts";
import { FakeFeed } from "./testing/fake-feed.ts";
import { RecordingSubscriber } from "./testing/recording-subscriber.ts";

/** A follower with one subscriber, which has not loaded a snapshot yet. */
function setUp() {
  const feed = new FakeFeed();
  const outage = { failed() {}, recovered() {} };
  const follower = new ControlFollower({ feed, clock: new FakeClock(), log: recordingLogger(), outage });
  onTestFinished(() => follower.stop());
  const subscriber = new RecordingSubscriber();
  const followed = follower.subscribe(subscriber, { name: "gateway", consequence: "nothing" });
  return { feed, follower, subscriber, followed };
}

async function following() {
  const parts = setUp();
  await parts.followed.catchUp();
  return parts;
}

it("S7: reads an announced revision once, however often and by whomever it is announced", async () => {
  const { feed, follower, subscriber } = await following();
  const reads = vi.spyOn(feed, "eventsAfter");
  feed.putSwitch({});
  for (let time = 0; time < 3; time += 1) follower.wake(1);
  await vi.waitFor(() => expect(subscriber.ids).toHaveLength(1), CONDITION_MS);
  follower.wake(1);
  follower.wake(0);
  await nextTurn();
  expect(reads).toHaveBeenCalledOnce();
  follower.wake(2);
  await vi.waitFor(() => expect(reads).toHaveBeenCalledTimes(2), CONDITION_MS);
});

it("S7: reads an announced revision again when the read that ran was sent before it", async () => {
  const { feed, follower, subscriber } = await following();
  const early = feed.eventsAfter.bind(feed);
  const held = Promise.withResolvers<void>();
  vi.spyOn(feed, "eventsAfter").mockImplementationOnce(async (from, limit) => {
    const events = await early(from, limit);
    await held.promise;
    return events;
  });
  follower.wake();
  await nextTurn();
  feed.putSwitch({});
  follower.wake(1);
  held.resolve();
  await vi.waitFor(() => expect(subscriber.ids).toHaveLength(1), CONDITION_MS);
});

it("S7: reads an announced revision while a part lacks a snapshot", async () => {
  const { feed, follower } = setUp();
  const snapshot = vi.spyOn(feed, "snapshot");
  follower.wake(0);
  await vi.waitFor(() => expect(snapshot).toHaveBeenCalled(), CONDITION_MS);
});
