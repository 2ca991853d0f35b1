import { expect, it } from "vitest";
import { unknownRoute } from "./unmatched-route.ts";

it.each([
  ["/api/v1/approvals/apr_1/reject", "/api/v1/approvals/{approval_id}/deny"],
  ["/api/v1/approvals/apr_1/accept", "/api/v1/approvals/{approval_id}/approve"],
  ["/api/v1/approvals/apr_1/aprove", "/api/v1/approvals/{approval_id}/approve"],
  ["/api/v1/approval", "/api/v1/approvals"],
])("%s names %s", (path, meant) => {
  expect(unknownRoute("POST", path).detail).toContain(`Did you mean ${meant}?`);
});

it("a word that is like no action names none", () => {
  expect(unknownRoute("POST", "/api/v1/approvals/apr_1/frobnicate").detail).not.toContain("Did you mean");
});
