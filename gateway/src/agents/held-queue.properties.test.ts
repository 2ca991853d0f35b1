import { setImmediate as nextTurn } from "node:timers/promises";
import { MAX_HELD_CALLS_PER_AGENT } from "@svc/contract/held-call-limits";
import type { Severity } from "@svc/contract/severity";
import { SeverityIndex } from "@svc/control-feed/severity-index";
import type { Timers } from "@svc/process/timers";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HeldQueue } from "./held-queue.ts";
import { SeverityWatch } from "./severity-watch.ts";

const ORG = "default";

/** A queue whose severities a test sets, and whose times end when the test says so. */
function queueOfTest() {
  const severities = new SeverityIndex();
  const watch = new SeverityWatch();
  const ends: (() => void)[] = [];
  const timers: Timers = { after: (_, run) => (ends.push(run), () => undefined) };
  const queue = new HeldQueue({ severityOf: (caller) => severities.severityOf(caller), watch, timers });
  const set = (agentId: string, sessionId: string, severity: Severity): void => {
    severities.apply(ORG, { agentId, sessionId, severity, since: "", reason: "" });
    watch.changed(ORG, agentId);
  };
  const enter = (agentId: string, sessionId: string | null, signal = new AbortController().signal) =>
    queue.enter({ caller: { org: ORG, agentId, sessionId }, waitMs: 1_000, signal });
  return { queue, set, enter, ends };
}

describe("HeldQueue", () => {
  // proves HELD-07
  it("judges the calls of an agent one after another in order, whatever happens meanwhile", async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("enter" as const), session: fc.constantFrom("s-1", "s-2") }),
      fc.record({
        kind: fc.constant("severity" as const),
        session: fc.constantFrom("s-1", "s-2"),
        severity: fc.constantFrom<Severity>("INFO", "CRITICAL", "EMERGENCY"),
      }),
      fc.record({ kind: fc.constant("judged" as const), again: fc.boolean() }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { queue, set, enter } = queueOfTest();
        const held = new Map<string, Severity>([
          ["s-1", "CRITICAL"],
          ["s-2", "CRITICAL"],
        ]);
        for (const [session, severity] of held) set("a", session, severity);
        const waiting: { id: number; session: string }[] = [];
        const turns: { id: number; again: () => void; leave: () => void }[] = [];
        let count = 0;
        const expectedNext = () => waiting.find(({ session }) => held.get(session) !== "CRITICAL")?.id;
        for (const one of steps) {
          if (one.kind === "enter") {
            const id = (count += 1);
            const place = enter("a", one.session);
            if (place === null) throw new Error("expected a place");
            waiting.push({ id, session: one.session });
            const wait = (): void => {
              void place.untilTurn().then((turn) => {
                expect(turn).toBe("turn");
                turns.push({ id, again: wait, leave: () => place.leave() });
              });
            };
            wait();
          } else if (one.kind === "severity") {
            held.set(one.session, one.severity);
            set("a", one.session, one.severity);
          } else {
            const judged = turns.pop();
            if (judged === undefined) continue;
            const at = waiting.findIndex(({ id }) => id === judged.id);
            const [was] = waiting.slice(at, at + 1);
            // A call is judged anew only as long as it is held: what is not held was answered.
            if (one.again && held.get(was?.session ?? "") === "CRITICAL") judged.again();
            else {
              waiting.splice(at, 1);
              judged.leave();
            }
          }
          const next = turns.length > 0 ? null : expectedNext();
          await nextTurn();
          expect(turns.length).toBeLessThanOrEqual(1);
          if (next !== null) expect(turns[0]?.id).toBe(next);
        }
        expect(queue.size).toBe(waiting.length);
      }),
      { numRuns: runs(200, 2_000) },
    );
  });

  it("ends a wait when its time is over, its client is gone or the gateway stops", async () => {
    const { queue, set, enter, ends } = queueOfTest();
    set("a", "s-1", "CRITICAL");
    const gone = new AbortController();
    const places = [enter("a", "s-1"), enter("a", "s-1", gone.signal), enter("a", "s-1")];
    const turns = Promise.all(places.map(async (place) => place?.untilTurn()));
    ends[0]?.();
    gone.abort();
    queue.stop();
    expect(await turns).toEqual(["over", "over", "over"]);
    expect(enter("a", "s-1")).toBeNull();
    for (const place of places) place?.leave();
    places[0]?.leave();
    expect(queue.size).toBe(0);
  });

  it("lets a call without a session wait for every session of its agent, and of no other", async () => {
    const { set, enter } = queueOfTest();
    set("a", "s-1", "CRITICAL");
    set("a", "s-2", "CRITICAL");
    set("b", "s-1", "CRITICAL");
    const turns: string[] = [];
    void enter("a", null)
      ?.untilTurn()
      .then((turn) => turns.push(turn));
    set("a", "s-1", "INFO");
    set("b", "s-1", "INFO");
    await nextTurn();
    expect(turns).toEqual([]);
    set("a", "s-2", "INFO");
    await nextTurn();
    expect(turns).toEqual(["turn"]);
  });

  it("lets no more calls of an agent wait than may be held", () => {
    const { set, enter } = queueOfTest();
    set("a", "s-1", "CRITICAL");
    for (let n = 0; n < MAX_HELD_CALLS_PER_AGENT; n += 1) expect(enter("a", "s-1")).not.toBeNull();
    expect(enter("a", "s-1")).toBeNull();
    expect(enter("b", "s-1")).not.toBeNull();
  });
});
