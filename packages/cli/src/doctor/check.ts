/** `unknown`: it could not be judged, which is never called ok. */
export type CheckState = "ok" | "warn" | "fail" | "unknown";

/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  readonly state: CheckState;
  /** What was seen. */
  readonly found: string;
  /** What to do; null: nothing. */
  readonly fix: string | null;
}

export function ok(name: string, found: string): Check {
  return { name, state: "ok", found, fix: null };
}

export function notOk(name: string, state: Exclude<CheckState, "ok">, found: string, fix: string): Check {
  return { name, state, found, fix };
}
