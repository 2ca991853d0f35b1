import { expect, it, onTestFinished, vi } from "vitest";
import { IndexLoop } from "./index-loop.ts";
import type { Projector } from "./projector.ts";

/** A loop whose index another process writes, and how often it has tried to take the index over. */
function standby() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const tries = { count: 0 };
  const open = async (): Promise<null> => {
    tries.count += 1;
    return null;
  };
  const loop = new IndexLoop({
    open,
    remove: async () => undefined,
    onFault: (error) => expect(error).toBeUndefined(),
    pace: { restMs: () => 0, nextPiece: () => 1 },
  });
  const running = loop.run();
  onTestFinished(async () => {
    loop.stop();
    await running;
  });
  return { loop, tries };
}

it("tries seldom to take over an index that another process writes: each try is a connection", async () => {
  const { tries } = standby();
  await vi.advanceTimersByTimeAsync(3_900);
  expect(tries.count).toBe(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(tries.count).toBe(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries.count).toBeLessThanOrEqual(18);
});

it("tries at once when it is asked a question", async () => {
  const { loop, tries } = standby();
  await vi.advanceTimersByTimeAsync(100);
  loop.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(tries.count).toBe(2);
});

it("makes batches as large as the pace says, and a whole one for a question", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const pieces: number[] = [];
  const projector = { step: async (piece: number) => pieces.push(piece) > 0 } as unknown as Projector;
  const session = { projector, requireCurrent: async () => undefined, close: async () => undefined };
  const loop = new IndexLoop({
    open: async () => session,
    remove: async () => undefined,
    onFault: (error) => expect(error).toBeUndefined(),
    pace: { restMs: () => 1_000, nextPiece: () => 1 / 16 },
  });
  const running = loop.run();
  onTestFinished(async () => {
    loop.stop();
    await running;
  });
  await vi.advanceTimersByTimeAsync(1_500);
  loop.wake();
  await vi.advanceTimersByTimeAsync(1_500);
  expect(pieces).toEqual([1 / 16, 1 / 16, 1, 1 / 16]);
});
