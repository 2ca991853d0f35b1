import { FakeClock } from "@svc/process/testing/fake-clock";
import { recordingLogger } from "@svc/process/testing/recording-logger";
import type { ControlEvent, UnreadableEvent } from "@svc/store/ports/control-change";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ControlFollower } from "./control-follower.ts";
import { FakeFeed } from "./testing/fake-feed.ts";
import { RecordingSubscriber } from "./testing/recording-subscriber.ts";

/** A feed that lacks events, repeats events and fails, as `faults` say read by read. */
class FaultyFeed extends FakeFeed {
  faults: ("gap" | "duplicates" | "down" | "none")[] = [];

  override async eventsAfter(
    revision: number,
    limit: number,
  ): Promise<readonly (ControlEvent | UnreadableEvent)[]> {
    const events = await super.eventsAfter(revision, limit);
    switch (this.faults.shift()) {
      case "gap":
        return events.slice(1);
      case "duplicates":
        return events.flatMap((event, at) => [...events.slice(Math.max(0, at - 1), at), event]);
      case "down":
        throw new Error("store down");
      case "none":
      case undefined:
        return events;
    }
  }
}

const step = fc.oneof(
  fc.record({ do: fc.constant("put" as const), id: fc.nat({ max: 4 }), isActive: fc.boolean() }),
  fc.record({ do: fc.constant("catch up" as const), who: fc.nat({ max: 1 }) }),
  fc.record({ do: fc.constant("fail" as const), next: fc.nat({ max: 3 }) }),
);

type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

/** What is active as of a revision. */
function activeAt({ events }: FakeFeed, revision: number): string[] {
  const active = new Set<string>();
  for (const { change } of events.slice(0, revision)) {
    if (change.kind !== "kill_switch") continue;
    const { kill_switch_id: id, status } = change.record;
    if (status === "active") active.add(id);
    else active.delete(id);
  }
  return [...active].sort();
}

/** Each subscriber got each event once, in order, behind the snapshot that it follows. */
function expectContiguous({ given }: RecordingSubscriber): void {
  let revision = -1;
  for (const [kind, at] of given.map((each) => each.split(" "))) {
    if (kind === "event") expect(Number(at)).toBe(revision + 1);
    revision = Number(at);
  }
}

function setUp(faults: FaultyFeed["faults"]) {
  const feed = new FaultyFeed();
  feed.faults = [...faults];
  const clock = new FakeClock();
  const outage = { failed() {}, recovered() {} };
  const follower = new ControlFollower({ feed, clock, log: recordingLogger(), outage });
  const [sound, faulty] = [new RecordingSubscriber(), new RecordingSubscriber()];
  let failing = 0;
  faulty.before = () => {
    if (failing > 0) {
      failing -= 1;
      throw new Error("defect");
    }
  };
  const followed = [
    follower.subscribe(faulty, { name: "faulty", consequence: "nothing" }),
    follower.subscribe(sound, { name: "sound", consequence: "nothing" }),
  ];
  const run = async (each: Step): Promise<void> => {
    switch (each.do) {
      case "put": {
        feed.putSwitch({
          kill_switch_id: `ks_${String(each.id)}`,
          status: each.isActive ? "active" : "inactive",
        });
        return;
      }
      case "fail":
        failing = each.next;
        return;
      case "catch up":
        await followed[each.who]?.catchUp().catch(() => undefined);
    }
  };
  return { feed, followed, sound, faulty, run, heal: () => (failing = 0) };
}

// proves STATE-10
it("gaps, repeats, outages and a failing subscriber leave nobody with a state that never was", async () => {
  const fault = fc.constantFrom("gap" as const, "duplicates" as const, "down" as const, "none" as const);
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fault, { maxLength: 20 }),
      fc.array(step, { maxLength: 30 }),
      async (scheduler, faults, steps) => {
        const { feed, followed, sound, faulty, run, heal } = setUp(faults);
        feed.beforeRead = () => scheduler.schedule(Promise.resolve(), "read");
        const all = Promise.all(
          steps.map((each) => scheduler.schedule(Promise.resolve()).then(() => run(each))),
        );
        await scheduler.waitFor(all);
        for (const [at, subscriber] of [faulty, sound].entries()) {
          expectContiguous(subscriber);
          if (followed[at]?.ageMs === 0)
            expect(subscriber.ids.toSorted()).toEqual(activeAt(feed, subscriber.revision));
        }
        heal();
        feed.faults = [];
        const caughtUp = Promise.all(followed.map((each) => each.catchUp()));
        expect(await scheduler.waitFor(caughtUp)).toEqual([feed.events.length, feed.events.length]);
        expect([faulty, sound].map(({ ids }) => ids.toSorted())).toEqual(
          Array(2).fill(activeAt(feed, feed.events.length)),
        );
      },
    ),
    { numRuns: runs(300, 3_000) },
  );
});

// proves STATE-10
it("what a sound subscriber is given does not depend on how often another one fails", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const soundOnly = steps.filter((each) => each.do !== "catch up" || each.who === 1);
      const given: (readonly string[])[] = [];
      for (const played of [soundOnly, soundOnly.filter((each) => each.do !== "fail")]) {
        const { sound, run } = setUp([]);
        for (const each of played) await run(each);
        given.push(sound.given);
      }
      expect(given[0]).toEqual(given[1]);
    }),
    { numRuns: runs(200, 2_000) },
  );
});
