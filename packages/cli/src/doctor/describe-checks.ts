import type { Connection } from "../connection/resolve-connection.ts";
import type { Emphasis, Piece } from "../frame/text.ts";
import type { Check, CheckState } from "./check.ts";

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
