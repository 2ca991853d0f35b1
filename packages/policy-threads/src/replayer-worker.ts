import { setTimeout as wait } from "node:timers/promises";
import { BackgroundPace } from "@svc/process/background-pace";
import { lowerPriority } from "@svc/process/lower-priority";
import { runJobs } from "@svc/process/run-jobs";
import { callMethod, type ServiceCall } from "@svc/process/service-call";
import { ownEvaluators } from "./own-evaluators.ts";
import { Replayer } from "./replayer.ts";

/** Nice value of the thread, the lowest that there is: replays take the time that nothing else needs. */
const NICE = 19;

/** Part of a core that replays take while answers need the processors, as a ratio. */
const CONTENDED_SHARE = 0.05;

/** Milliseconds of the longest rest: a cancel is noticed after it at the latest. */
const MAX_REST_MS = 1_000;

/** Entry of the thread that decides recorded calls again. */
lowerPriority(NICE);
const replayer = new Replayer(() => performance.now(), ownEvaluators());
const pace = new BackgroundPace({ share: CONTENDED_SHARE, maxRestMs: MAX_REST_MS });
runJobs<ServiceCall>(async (call) => {
  const reply = await callMethod(replayer, call);
  const restMs = call.method === "drop" ? 0 : pace.restMs();
  if (restMs > 0) await wait(restMs);
  return reply;
});
