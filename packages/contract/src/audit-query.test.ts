import { expect, it } from "vitest";
import { z } from "zod";
import { AUDIT_FILTERS } from "./audit-query.ts";

const query = z.strictObject(AUDIT_FILTERS);

it.each(["2026-02-30", "2026-02-29T10:00:00Z", "2026-11-22T24:00:00Z", "2026-13-01", "yesterday", ""])(
  "a query for rows since %j is refused, and not read as another time",
  (since) => {
    expect(query.safeParse({ since }).success).toBe(false);
  },
);

it.each([
  ["2028-02-29", "2028-02-29T00:00:00.000Z"],
  ["2026-11-22T09:41Z", "2026-11-22T09:41:00.000Z"],
  ["2026-11-22T23:59:59.999Z", "2026-11-22T23:59:59.999Z"],
])("a query for rows since %s means %s", (since, time) => {
  expect(query.parse({ since }).since).toBe(Date.parse(time));
});
