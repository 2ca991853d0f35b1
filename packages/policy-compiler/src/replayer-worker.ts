import { setTimeout as wait } from "node:timers/promises";
import { BackgroundPace } from "@svc/process/background-pace";
import { lowerPriority } from "@svc/process/lower-priority";
import { runJobs } from "@svc/process/run-jobs";
import { ReplayerDesk } from "./replayer-desk.ts";
import type { ReplayerOrder } from "./replayer-protocol.ts";

/** Nice value of the thread, the lowest that there is: replays take the time that nothing else needs. */
const NICE = 19;

/** Part of a core that replays take while others need the processors, as a ratio. */
const CONTENDED_SHARE = 0.1;

/** Entry of the thread that decides recorded calls again. */
lowerPriority(NICE);
const desk = new ReplayerDesk(() => performance.now());
const pace = new BackgroundPace(CONTENDED_SHARE);
runJobs<ReplayerOrder>(async (order) => {
  const reply = desk.carryOut(order);
  const restMs = order.kind === "drop" ? 0 : pace.restMs();
  if (restMs > 0) await wait(restMs);
  return reply;
});
