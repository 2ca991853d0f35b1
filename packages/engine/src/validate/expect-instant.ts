import type { JsonObject } from "@svc/text/json-value";
import type { Reporter } from "../read/reporter.ts";
import { quoteShort, type SourceNode } from "../read/source-node.ts";
import { expectText, refuse } from "./expect.ts";

const RFC_3339 =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,3})?(?:Z|[+-][0-9]{2}:[0-9]{2})$/;

export const INSTANT_SCHEMA: JsonObject = { type: "string", pattern: RFC_3339.source };

/** @returns epoch milliseconds. */
export function expectInstant(node: SourceNode, reporter: Reporter): number | null {
  const text = expectText(node, "a time such as 2026-12-31T23:00:00Z", reporter);
  if (text === null) return null;
  const instant = RFC_3339.test(text) && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(instant)) return instant;
  return refuse("policy/invalid-value", node, reporter, {
    message: `${quoteShort(text)} is not an instant`,
    expected: "a date and a time with their offset from UTC, as in RFC 3339",
    fix: "write 2026-12-31T23:00:00Z, or 2027-01-01T00:00:00+01:00",
  });
}

/** The runtime reads the 31st of February as a day of March. */
function isDay(date: string): boolean {
  const parsed = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date);
}
