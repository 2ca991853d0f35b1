import type { Cleanup } from "../cleanup.ts";

/** Requests that are sent as fast as the answers come, over connections that stay open. */
export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** JSON bodies of the POST requests, taken in turn. */
  readonly bodies: readonly string[];
}

/** What came of one load. Latencies are those of a closed loop: a slow answer delays the next question. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answered requests. */
  readonly requests: number;
}

/** The same one drives every side of a comparison. */
export interface LoadGenerator {
  readonly name: string;
  /** @throws when any request failed or was answered with anything but a 2xx. */
  run(load: Load, cleanup: Cleanup): Promise<LoadResult>;
}

/** @throws unless every request was answered well: a refusal is cheaper than a verdict. */
export function requireAllAnswered(failures: number, load: Load): void {
  if (failures > 0) throw new Error(`${failures} requests to ${load.url} failed or were refused`);
}
