import { join } from "node:path";
import { Client } from "pg";
import { startPeer } from "./peers/start-peer.ts";
import type { Bench } from "./scenario.ts";

const LISTENERS = join(import.meta.dirname, "peers", "notify-listeners.ts");

/** What a NOTIFY to so many listeners costs when nothing is read or written. */
export interface NotifyRoundTrips {
  /** Milliseconds from sending one notification until every listener has answered with another one. */
  run(count: number): Promise<number[]>;
  stop(): Promise<void>;
}

/** The listeners are connections of one process, so they switch processes less often than gateways do. */
export async function startNotifyRoundTrips(
  { cleanup }: Pick<Bench, "cleanup">,
  databaseUrl: string,
  listeners: number,
): Promise<NotifyRoundTrips> {
  const peer = await startPeer(LISTENERS, [databaseUrl, String(listeners)], cleanup);
  const client = new Client({ connectionString: databaseUrl });
  // A scenario that fails ends the server first. Its own error is the one to show.
  client.on("error", () => undefined);
  await client.connect();
  await client.query("LISTEN bench_answer");
  const stop = async (): Promise<void> => {
    await client.end();
    await peer.stop();
  };
  const once = async (): Promise<number> => {
    const answered = Promise.withResolvers<void>();
    let missing = listeners;
    const hear = (): void => {
      missing -= 1;
      if (missing === 0) answered.resolve();
    };
    client.on("notification", hear);
    const startedMs = performance.now();
    await client.query("SELECT pg_notify('bench_question', '')");
    await answered.promise;
    client.off("notification", hear);
    return performance.now() - startedMs;
  };
  const run = async (count: number): Promise<number[]> => {
    const times: number[] = [];
    for (let at = 0; at < count; at += 1) times.push(await once());
    return times;
  };
  return { run, stop };
}
