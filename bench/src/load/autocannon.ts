import autocannon from "autocannon";
import { type Load, type LoadGenerator, type LoadResult, requireAllAnswered } from "./load-generator.ts";

/** autocannon: needs nothing installed, but takes a core for itself and counts in whole milliseconds. */
export const autocannonGenerator: LoadGenerator = { name: "autocannon", run: runAutocannon };

async function runAutocannon(load: Load): Promise<LoadResult> {
  const result = await autocannon({
    url: load.url,
    connections: load.connections,
    duration: load.seconds,
    requests: load.bodies.map((body) => ({
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    })),
  });
  requireAllAnswered(result.errors + result.timeouts + result.non2xx, load);
  return {
    requests: result["2xx"],
    requestsPerSecond: result["2xx"] / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  };
}
