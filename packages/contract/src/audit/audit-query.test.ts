import { expect, it } from "vitest";
import { z } from "zod";
import { auditExportQuerySchema } from "./audit-export-query.ts";
import { AUDIT_FILTERS } from "./audit-query.ts";
import { AUDIT_KINDS } from "./audit-row.ts";

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

it("an export of an unknown kind is refused, and not an empty list that is signed", () => {
  expect(auditExportQuerySchema.safeParse({ kind: "decisions" }).success).toBe(false);
  for (const kind of AUDIT_KINDS) expect(auditExportQuerySchema.parse({ kind }).kind).toBe(kind);
});
