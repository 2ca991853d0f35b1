import { type Answer, execute } from "../server/api.ts";

/** One answer, what its call said of itself, and when it came, in milliseconds of the monotonic clock. */
export interface TimedAnswer extends Answer {
  readonly call: Readonly<Record<string, unknown>>;
  readonly atMs: number;
}

/** Calls that keep coming until they are stopped. */
export interface SteadyLoad {
  /** Answers so far, in order of arrival. */
  readonly answers: readonly TimedAnswer[];
  /** What the calls that got no answer ended with. */
  readonly failures: readonly unknown[];
  /** Sends no more and resolves when the last one is answered or has failed. */
  stop(): Promise<readonly TimedAnswer[]>;
}

/** Keeps `inFlight` calls under way, each as soon as one before it is over. One that fails ends its turn. */
export function steadyLoad(
  url: string,
  inFlight: number,
  call: (index: number) => Readonly<Record<string, unknown>> = () => ({}),
): SteadyLoad {
  const answers: TimedAnswer[] = [];
  const failures: unknown[] = [];
  let running = true;
  let sent = 0;
  const work = async (): Promise<void> => {
    while (running) {
      sent += 1;
      const known = call(sent);
      try {
        answers.push({ ...(await execute(url, known)), call: known, atMs: performance.now() });
      } catch (error) {
        failures.push(error);
        return;
      }
    }
  };
  const workers = Array.from({ length: inFlight }, work);
  return {
    answers,
    failures,
    stop: async () => {
      running = false;
      await Promise.all(workers);
      return answers;
    },
  };
}
