import type { Connection } from "../connection/resolve-connection.ts";
import type { Emphasis, Piece } from "../frame/text.ts";

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

const EMPHASIS: Readonly<Record<CheckState, Emphasis>> = {
  ok: "good",
  warn: "warning",
  fail: "bad",
  unknown: "warning",
};

/** A line for each check, and one line of what to do below it. */
export function describeChecks(
  { url, source }: Pick<Connection, "url" | "source">,
  checks: readonly Check[],
): readonly Piece[] {
  return [
    `${url.origin} (${source})\n`,
    ...checks.flatMap(({ name, state, found, fix }): Piece[] => [
      { text: state.padEnd(8), as: EMPHASIS[state] },
      `${name}: ${found}\n`,
      ...(fix === null ? [] : [`        ${fix}\n`]),
    ]),
  ];
}
