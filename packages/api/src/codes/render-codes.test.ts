import { PROBLEMS } from "@svc/contract/problem";
import { REASON_CODES } from "@svc/contract/verdict";
import { expect, it } from "vitest";
import { REASON_GUIDE } from "./code-guide.ts";
import { PROBLEM_GUIDE } from "./problem-guide.ts";
import { renderCodesHtml, renderCodesMarkdown } from "./render-codes.ts";

// proves API-13
it("there is a guide to every reason code and problem code, and to no other", () => {
  const reasons = REASON_GUIDE.flatMap(({ codes }) => Object.keys(codes));
  expect(reasons).toEqual([...REASON_CODES]);
  expect(Object.keys(PROBLEM_GUIDE).toSorted()).toEqual(Object.keys(PROBLEMS).toSorted());
});

// proves API-13
// `npm test -- packages/api -u` writes the page after the guide has changed.
it("docs/REASONS.md is made from the guide", async () => {
  await expect(renderCodesMarkdown()).toMatchFileSnapshot("../../../../docs/REASONS.md");
});

it("the page of the server has a place for every code and leads nowhere else", () => {
  const page = renderCodesHtml();
  for (const code of REASON_CODES) expect(page).toContain(`<tr id="reason-${code}">`);
  for (const code of Object.keys(PROBLEMS)) expect(page).toContain(`<tr id="problem-${code}">`);
  expect(page).not.toMatch(/<a |\]\(|<script/);
});
