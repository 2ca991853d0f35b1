/** Milliseconds in which at most one line of each kind is written: strangers choose how often one is due. */
const SPARSE_LOG_INTERVAL_MS = 10_000;

/** Writes lines that anybody can cause: one of each kind in an interval, with how many it stands for. */
export interface SparseLog {
  /** @param kind of a closed list: each is remembered */
  warn(kind: string, fields: object, message: string): void;
}

export interface SparseLogPorts {
  readonly warn: (fields: object, message: string) => void;
  readonly monotonicMs: () => number;
}

export function createSparseLog({ warn, monotonicMs }: SparseLogPorts): SparseLog {
  const written = new Map<string, { readonly atMs: number; leftOut: number }>();
  return {
    warn: (kind, fields, message) => {
      const last = written.get(kind);
      const nowMs = monotonicMs();
      if (last !== undefined && nowMs - last.atMs < SPARSE_LOG_INTERVAL_MS) {
        last.leftOut += 1;
        return;
      }
      const leftOut = last?.leftOut ?? 0;
      written.set(kind, { atMs: nowMs, leftOut: 0 });
      warn(leftOut === 0 ? fields : { ...fields, like_it_since_the_last_line: leftOut }, message);
    },
  };
}
