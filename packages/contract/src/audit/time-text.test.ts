import { readTime } from "@svc/text/time-text";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { rangeFields } from "../policies/replay.ts";
import { auditExportQuerySchema } from "./audit-export-query.ts";
import { AUDIT_FILTERS } from "./audit-query.ts";

const TIMES: readonly (readonly [string, string | null])[] = [
  ["2026-11-22", "2026-11-22T00:00:00.000Z"],
  ["2026-11-22T09:41Z", "2026-11-22T09:41:00.000Z"],
  ["2026-11-22T09:41:07Z", "2026-11-22T09:41:07.000Z"],
  ["2026-11-22T09:41:07.123Z", "2026-11-22T09:41:07.123Z"],
  ["2026-11-22T00:30:00+01:00", "2026-11-21T23:30:00.000Z"],
  ["2026-11-22T23:30:00-05:30", "2026-11-23T05:00:00.000Z"],
  ["2024-02-29", "2024-02-29T00:00:00.000Z"],
  ["2026-02-30", null],
  ["2026-02-30T00:00:00Z", null],
  ["2026-02-30T00:00:00+01:00", null],
  ["2026-13-01", null],
  ["2026-11-22T24:00:00Z", null],
  ["2026-11-22T09:61Z", null],
  ["2026-11-22T09:41:07", null],
  ["2026-11-22T09:41:07 01:00", null],
  ["2026-11-22T09:41:07+25:00", null],
  ["yesterday", null],
  ["", null],
];

// proves AUD-92
describe("times of requests", () => {
  const list = z.strictObject({ since: AUDIT_FILTERS.since });
  const replay = z.strictObject(rangeFields);
  const iso = (time: string | number | undefined) =>
    time === undefined ? null : new Date(time).toISOString();

  it.each(TIMES)("%j is %s in a list, an export and a replay", (since, expected) => {
    const milliseconds = readTime(since);
    expect(milliseconds === null ? null : iso(milliseconds)).toBe(expected);
    for (const schema of [list, auditExportQuerySchema, replay])
      expect(iso(schema.safeParse({ since }).data?.since)).toBe(expected);
  });

  it("say how a URL names an offset that lost its plus", () => {
    for (const schema of [list, auditExportQuerySchema]) {
      const lost = schema.safeParse({ since: "2026-11-22T09:41:07 01:00" }).error?.issues[0]?.message;
      expect(lost).toMatch(/or a date such as 2026-11-22 \(in a URL, write \+ as %2B\)$/);
      expect(schema.safeParse({ since: "soon" }).error?.issues[0]?.message).not.toContain("%2B");
    }
  });
});
