import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { RepeatedWork } from "./repeated-work.ts";

/** Timers that a test lets go off. */
function timers() {
  const due: { readonly delayMs: number; readonly run: () => void }[] = [];
  return {
    due,
    after: (delayMs: number, run: () => void) => {
      const timer = { delayMs, run };
      due.push(timer);
      return () => void due.splice(due.indexOf(timer), 1);
    },
  };
}

it("runs again after the pause that each run asks for", async () => {
  const { due, after } = timers();
  let runs = 0;
  const work = new RepeatedWork({ after }, async () => Promise.resolve((runs += 1) * 100));
  work.start(5);
  expect(due.map(({ delayMs }) => delayMs)).toEqual([5]);
  due.shift()?.run();
  await nextTurn();
  due.shift()?.run();
  await nextTurn();
  expect([runs, due.map(({ delayMs }) => delayMs)]).toEqual([2, [200]]);
});

it("stops when the present run has ended, and does not run again", async () => {
  const { due, after } = timers();
  const run = Promise.withResolvers<number>();
  const work = new RepeatedWork({ after }, () => run.promise);
  work.start(0);
  due.shift()?.run();
  let isOver = false;
  const stopped = work.stop().then(() => {
    isOver = true;
  });
  await nextTurn();
  expect(isOver).toBe(false);
  run.resolve(0);
  await stopped;
  work.start(0);
  expect(due).toEqual([]);
});
