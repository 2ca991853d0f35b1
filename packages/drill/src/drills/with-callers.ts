import { type Caller, type CallerOptions, startCaller } from "../caller.ts";

/** Runs a step while calls are sent, and ends them however it ends. */
export async function withCallers<Result>(
  options: readonly CallerOptions[],
  step: (callers: readonly Caller[]) => Promise<Result>,
): Promise<Result> {
  const callers = options.map(startCaller);
  try {
    return await step(callers);
  } finally {
    await Promise.all(callers.map((caller) => caller.stop()));
  }
}
