const NANOSECONDS_PER_MS = 1_000_000;

/** Receives every result, so that the compiler cannot drop the work. */
const sink: { last: unknown } = { last: null };

/** Mean nanoseconds of one call, over a batch of calls with the numbers 0, 1, 2, ... */
export function timeBatch(calls: number, work: (at: number) => unknown): number {
  const startedMs = performance.now();
  for (let at = 0; at < calls; at += 1) sink.last = work(at);
  return ((performance.now() - startedMs) * NANOSECONDS_PER_MS) / calls;
}

/** Nanoseconds of every single call; each includes some 50 ns of reading the clock. */
export function timeEach(calls: number, work: (at: number) => unknown): number[] {
  const samples = new Float64Array(calls);
  for (let at = 0; at < calls; at += 1) {
    const startedMs = performance.now();
    sink.last = work(at);
    samples[at] = (performance.now() - startedMs) * NANOSECONDS_PER_MS;
  }
  return [...samples];
}
