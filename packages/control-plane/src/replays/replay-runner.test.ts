import type { ReplayOrder, ReplayReply } from "@svc/policy-analysis/replay-exchange";
import { replayRecord } from "@svc/store/testing/records";
import { expect, it } from "vitest";
import { testPorts } from "../testing/test-ports.ts";
import type { RowThread } from "./recorded-rows.ts";
import { ReplayRunner } from "./replay-runner.ts";
import { renderReplayWork } from "./replay-work.ts";

const RECORD = replayRecord("rpl_1", { progress: { rows_read: 4, rows_total: 9 } });

const WORK = {
  work: {
    kind: "replay",
    candidate: { source: "id: p", mediaType: "application/yaml" },
    policyId: "p",
    agents: null,
  },
  logs: [{ logId: "gw", from: 3, end: 12 }],
} as const;

/** A thread that begins orders and never ends one. */
function busyThread() {
  const begun: ReplayOrder[] = [];
  const never = (): Promise<ReplayReply> => Promise.withResolvers<ReplayReply>().promise;
  const begin = (order: ReplayOrder): Promise<ReplayReply> => {
    begun.push(order);
    return never();
  };
  const thread: RowThread = { begin, rows: never, goOn: never, drop: () => Promise.resolve() };
  return { thread, begun };
}

async function processes(work: string | null) {
  const { replays, recordedCalls, time: clock, log } = testPorts();
  await replays.createReplay("acme", { record: RECORD, owner: "gw", updatedAtMs: 0 }, work ?? "");
  /** The process of the log starts again. */
  const startAgain = async () => {
    const { thread, begun } = busyThread();
    const digestKey = "5a".repeat(32);
    await new ReplayRunner({ replays, recordedCalls, thread, clock, log, owner: "gw", digestKey }).recover();
    await expect.poll(async () => (await replays.replay("acme", "rpl_1"))?.record.status).not.toBe("queued");
    const record = (await replays.replay("acme", "rpl_1"))?.record;
    return { begun, record };
  };
  return { startAgain };
}

// proves REP-08
it("a replay that its process left behind begins again with the same rows and candidate", async () => {
  const { startAgain } = await processes(renderReplayWork(WORK));
  const { begun, record } = await startAgain();
  expect(record).toEqual({ ...RECORD, progress: { rows_read: 0, rows_total: 9 } });
  const { id, since, until } = RECORD;
  expect(begun).toEqual([{ id, since, until, org: "acme", digestKey: "5a".repeat(32), ...WORK }]);
});

// proves REP-08
it("a replay whose process ended three times has failed, and says what to do", async () => {
  const { startAgain } = await processes(renderReplayWork(WORK));
  for (let start = 2; start <= 3; start += 1)
    expect((await startAgain()).record).toMatchObject({ status: "running" });
  const { begun, record } = await startAgain();
  expect(begun).toEqual([]);
  expect(record).toMatchObject({
    status: "failed",
    reason: expect.stringMatching(/ended 3 times .* Choose a shorter range/),
  });
});
