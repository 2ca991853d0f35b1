import type { AnomalyThresholds, TakenAnomalies } from "@svc/audit-index/anomaly-buffer";
import type { ObservedAnomaly } from "@svc/audit-index/observed-anomaly";
import { DEFAULT_ROGUE_DETECTION } from "@svc/contract/rogue-detection";
import { describe, expect, it } from "vitest";
import { FakeTime } from "../testing/fake-time.ts";
import { AnomalyRecorder } from "./anomaly-recorder.ts";

function observed(subject: string): ObservedAnomaly {
  return {
    org: "acme",
    namespace: "default",
    agentId: "a-1",
    sessionId: null,
    anomaly: "deny_storm",
    subject,
    atMs: 0,
    quietMs: 60_000,
    explanation: "had 30 of 30 calls denied within a minute",
    evidence: {},
  };
}

/** A thread that finds what a test puts into `found`, and a store that fails for what is in `broken`. */
function world() {
  const time = new FakeTime();
  const found: ObservedAnomaly[] = [];
  const broken = new Set<string>();
  const recorded: string[] = [];
  const books: (AnomalyThresholds | null)[] = [];
  const logged: string[] = [];
  const settings = { generation: 1 };
  const thread = { generation: null as number | null, dropped: 0 };
  const log = {
    error: (_: object, message: string) => void logged.push(message),
    warn: (_: object, message: string) => void logged.push(message),
    info: (_: object, message: string) => void logged.push(message),
  };
  const recorder = new AnomalyRecorder({
    index: {
      takeAnomalies: async (book): Promise<TakenAnomalies> => {
        books.push(book);
        if (book !== null) thread.generation = book.generation;
        return { anomalies: found.splice(0), dropped: thread.dropped, generation: thread.generation };
      },
    },
    settings: {
      get generation() {
        return settings.generation;
      },
      every: () => [{ org: "acme", namespace: "prod", settings: DEFAULT_ROGUE_DETECTION }],
    },
    record: async ({ subject }) => {
      if (broken.has(subject)) throw new Error("the store did not answer");
      recorded.push(subject);
      return { kind: "recorded", raised: null };
    },
    timers: time,
    log,
  });
  recorder.start();
  return { time, found, broken, recorded, books, logged, settings, thread, recorder };
}

describe("the recorder of anomalies", () => {
  it("hands thresholds over when they changed, and to a thread that was started again", async () => {
    const { time, books, settings, thread } = world();
    await time.advance(1_500);
    const { behaviour } = DEFAULT_ROGUE_DETECTION;
    const namespaces = [{ org: "acme", namespace: "prod", behaviour }];
    expect(books).toEqual([{ generation: 1, namespaces }, null, null]);
    settings.generation = 2;
    await time.advance(1_000);
    expect(books.slice(3)).toEqual([{ generation: 2, namespaces }, null]);
    thread.generation = null;
    await time.advance(1_000);
    expect(books.slice(5)).toEqual([null, { generation: 2, namespaces }]);
  });

  it("tries again until everything is recorded, and lets nothing hold up the others", async () => {
    const { time, found, broken, recorded, logged } = world();
    broken.add("b");
    found.push(observed("a"), observed("b"), observed("c"));
    await time.advance(5_000);
    expect(recorded).toEqual(["a", "c"]);
    expect(logged).toEqual(["anomalies of agents are not recorded; Svc tries again every second"]);
    broken.clear();
    found.push(observed("d"));
    await time.advance(3_000);
    expect(recorded).toEqual(["a", "c", "b", "d"]);
    expect(logged).toContain("anomalies of agents are recorded again");
  });

  it("says when some were dropped", async () => {
    const { time, thread, logged } = world();
    thread.dropped = 7;
    await time.advance(500);
    expect(logged).toEqual([
      "more anomalies of agents were found at once than are kept; the rest is not recorded",
    ]);
  });

  it("asks nothing after it stopped", async () => {
    const { time, books, recorder } = world();
    await recorder.stop();
    await time.advance(5_000);
    expect(books).toEqual([]);
  });
});
