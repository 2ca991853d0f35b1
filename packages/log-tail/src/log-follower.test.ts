import { expect, it } from "vitest";
import { LogFollower } from "./log-follower.ts";

/** Timers that fire when the test says, and the delays that they were given. */
function heldTimers() {
  const delays: number[] = [];
  let next: (() => void) | null = null;
  const after = (delayMs: number, run: () => void): (() => void) => {
    delays.push(delayMs);
    next = run;
    return () => (next = null);
  };
  return {
    timers: { after },
    delays,
    fire: async (): Promise<void> => {
      const run = next;
      next = null;
      run?.();
      await new Promise(setImmediate);
    },
  };
}

const pauses = { behindMs: 1, idleMs: 2, faultMs: 3 };

it("pauses as long as what the step found asks for, and tries again after a fault", async () => {
  const { timers, delays, fire } = heldTimers();
  const answers = [true, false, new Error("no database"), true];
  const faults: unknown[] = [];
  const step = async (): Promise<boolean> => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer ?? expect.unreachable("stepped too often");
  };
  const follower = new LogFollower({ step, timers, onFault: (error) => faults.push(error), pauses });
  follower.start();
  for (let left = answers.length; left > 0; left -= 1) await fire();
  expect(delays).toEqual([1, 1, 2, 3, 1]);
  expect(faults).toEqual([new Error("no database")]);
  await follower.stop();
  await fire();
  expect(delays).toHaveLength(5);
});

it("stops when the step that runs has ended, and tells it so", async () => {
  const { timers, delays, fire } = heldTimers();
  const work = Promise.withResolvers<boolean>();
  const signals: AbortSignal[] = [];
  const step = (signal: AbortSignal): Promise<boolean> => {
    signals.push(signal);
    return work.promise;
  };
  const follower = new LogFollower({ step, timers, onFault: () => undefined, pauses });
  follower.start();
  await fire();
  let isStopped = false;
  const stopping = follower.stop().then(() => {
    isStopped = true;
  });
  await new Promise(setImmediate);
  expect([signals[0]?.aborted, isStopped]).toEqual([true, false]);
  work.resolve(true);
  await stopping;
  expect(delays).toEqual([1]);
});
