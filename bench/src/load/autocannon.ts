import autocannon from "autocannon";
import type { Cleanup } from "../cleanup.ts";
import { quantile } from "../statistics.ts";
import { type Load, type LoadGenerator, type LoadResult, requireAllAnswered } from "./load-generator.ts";

/** autocannon: needs nothing installed, but runs in this process and takes a core for itself. */
export const autocannonGenerator: LoadGenerator = { name: "autocannon", run: runAutocannon };

async function runAutocannon(load: Load, cleanup: Cleanup): Promise<LoadResult> {
  // Its own summary counts in whole milliseconds, of which a fast server has none.
  const latenciesMs: number[] = [];
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const running = autocannon(optionsOf(load), (error: Error | null, found) => {
      if (error === null) resolve(found);
      else reject(error);
    });
    running.on("response", (_client, _status, _bytes, latencyMs) => latenciesMs.push(latencyMs));
    cleanup.defer(() => {
      running.stop();
      return Promise.resolve();
    });
  });
  requireAllAnswered(result.errors + result.timeouts + result.non2xx, load);
  return {
    requests: result["2xx"],
    requestsPerSecond: result["2xx"] / result.duration,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
  };
}

function optionsOf({ url, connections, seconds, bodies }: Load): autocannon.Options {
  const headers = { "content-type": "application/json" };
  return {
    url,
    connections,
    duration: seconds,
    requests: bodies.map((body) => ({ method: "POST", headers, body })),
  };
}
