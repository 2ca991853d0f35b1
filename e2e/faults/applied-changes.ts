import type { FaultyGateway } from "./faulty-gateway.ts";
import type { Applied } from "./judge/trace.ts";

const APPLIED = '"msg":"control state applied"';

interface LogLine {
  readonly time: string;
  readonly subscriber: string;
  readonly revision: number;
  readonly by: "snapshot" | "event";
  readonly change?: string;
}

/** What the logs of all processes of a gateway say about the control feed. */
export function appliedChanges({ id, processes }: FaultyGateway): readonly Applied[] {
  const wallAheadMs = Date.now() - performance.now();
  return processes.flatMap(({ lines }, at) =>
    lines
      .filter((line) => line.includes(APPLIED) && line.endsWith("}"))
      .map((line) => {
        const { time, subscriber, revision, by, change } = JSON.parse(line) as LogLine;
        return {
          gateway: id,
          process: processName(id, at),
          part: subscriber,
          by,
          revision,
          change: change ?? null,
          loggedMs: Date.parse(time) - wallAheadMs,
        };
      }),
  );
}

/** @param at which of the processes of the gateway, from 0 */
export function processName(id: string, at: number): string {
  return `${id} ${String(at + 1)}`;
}
