import autocannon from "autocannon";
import type { Cleanup } from "../cleanup.ts";
import { quantile } from "../statistics.ts";
import { type Load, type LoadGenerator, type LoadResult, requireAllAnswered } from "./load-generator.ts";

/** autocannon: needs nothing installed, but runs in this process and takes a core for itself. */
export const autocannonGenerator: LoadGenerator = { name: "autocannon", run: runAutocannon };

/** When the last load of this process began. Until then its loads wait while another one is set up. */
let lastBegunMs = 0;

interface Response {
  readonly atMs: number;
  readonly latencyMs: number;
}

async function runAutocannon(load: Load, cleanup: Cleanup): Promise<LoadResult> {
  // Its own summary counts in whole milliseconds, of which a fast server has none.
  const responses: Response[] = [];
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const running = autocannon(optionsOf(load), (error: Error | null, found) => {
      if (error === null) resolve(found);
      else reject(error);
    });
    running.on("response", (_client, _status, _bytes, latencyMs) =>
      responses.push({ atMs: performance.now(), latencyMs }),
    );
    lastBegunMs = performance.now();
    cleanup.defer(() => {
      running.stop();
      return Promise.resolve();
    });
  });
  const latenciesMs = responses.flatMap(({ atMs, latencyMs }) =>
    atMs - latencyMs < lastBegunMs ? [] : latencyMs,
  );
  requireAllAnswered(result.errors + result.timeouts + result.non2xx, load);
  return {
    requests: result["2xx"],
    requestsPerSecond: result["2xx"] / result.duration,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
  };
}

/**
 * Each connection gets a share of the bodies. autocannon builds the requests of each connection before it
 * starts. With all bodies at 64 connections that blocked this process for seconds, in which answers of the
 * other loads waited unread.
 */
function optionsOf({ url, connections, seconds, bodies }: Load): autocannon.Options {
  const headers = { "content-type": "application/json" };
  const requestsOf = (connection: number): autocannon.Request[] =>
    bodies
      .filter((_, at) => at % connections === connection % bodies.length)
      .map((body) => ({ method: "POST", headers, body }));
  let connection = 0;
  return {
    url,
    connections,
    duration: seconds,
    requests: requestsOf(0).slice(0, 1),
    setupClient: (client) => {
      client.setRequests(requestsOf(connection));
      connection += 1;
    },
  };
}
