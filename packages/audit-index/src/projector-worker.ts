import { workerData } from "node:worker_threads";
import { BackgroundPace } from "@svc/process/background-pace";
import { lowerPriority } from "@svc/process/lower-priority";
import { runJobsAtOnce } from "@svc/process/run-jobs";
import { BehaviourDesk } from "./behaviour/behaviour-desk.ts";
import type { IndexPlace, ProjectorJob } from "./index-jobs.ts";
import { IndexLoop } from "./index-loop.ts";
import { openProjectorSession, removeIndex } from "./open-projector-session.ts";

/**
 * Nice value of the thread. Where no core is free it gets a thirtieth of what a verdict's thread gets, and
 * catches up later; lists then say how far it is.
 */
const NICE = 15;

/** Part of a core that the thread takes while answers need the processors, as a ratio. */
const CONTENDED_SHARE = 0.05;

/**
 * Milliseconds of the longest rest. The largest batch takes up to half a second of a core, so that a shorter
 * one would give more than the share. A question ends it.
 */
const MAX_REST_MS = 10_000;

/** Faults that nobody has asked about yet, as count. Older ones are dropped. */
const MAX_FAULTS = 10;

/** Entry of the thread that writes the index. */
lowerPriority(NICE);
const place = workerData as IndexPlace;
const faults: string[] = [];
let tellFault: ((fault: string) => void) | null = null;
const pace = new BackgroundPace({ share: CONTENDED_SHARE, maxRestMs: MAX_REST_MS });
const behaviour = new BehaviourDesk();
const loop = new IndexLoop({
  open: () => openProjectorSession(place, behaviour),
  remove: () => removeIndex(place),
  pace,
  onFault: (error) => noteFault(error instanceof Error ? error.message : String(error)),
});
const running = loop.run();

function noteFault(fault: string): void {
  if (tellFault !== null) {
    tellFault(fault);
    tellFault = null;
    return;
  }
  faults.push(fault);
  if (faults.length > MAX_FAULTS) faults.shift();
}

async function nextFault(): Promise<string> {
  const known = faults.shift();
  if (known !== undefined) return known;
  const { promise, resolve } = Promise.withResolvers<string>();
  tellFault = resolve;
  return promise;
}

runJobsAtOnce<ProjectorJob>(
  async (job) => {
    switch (job.kind) {
      case "next_fault":
        return nextFault();
      case "wake":
        return loop.wake();
      case "rebuild":
        return loop.rebuild();
      case "take_anomalies":
        return behaviour.take(job.book);
      case "forget":
        return loop.forget(job.range);
      case "settle":
        return (await loop.settle()) && behaviour.isEmpty;
      case "close":
        loop.stop();
        return running;
    }
  },
  ({ kind }) => kind === "close",
);
