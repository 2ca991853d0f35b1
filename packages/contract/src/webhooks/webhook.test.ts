import { expect, it } from "vitest";
import { DECISIONS } from "../execute/verdict.ts";
import { parseWebhookCreation } from "./webhook.ts";
import { parseWebhookReplay } from "./webhook-delivery.ts";

const [EARLY, LATE] = ["2026-11-22T08:00:00Z", "2026-11-22T09:00:00Z"];

it.each([EARLY, LATE])("refuses a time that ends at %s, at its end", (until) => {
  const expected = "a time after since";
  const parsed = parseWebhookReplay({ since: LATE, until });
  expect(parsed).toMatchObject({ ok: false, errors: [{ pointer: "/until", expected }] });
  expect(parseWebhookReplay({ since: EARLY, until: LATE }).ok).toBe(true);
});

it("says once which decisions a filter can name", () => {
  const parsed = parseWebhookCreation({ url: "https://a.example/", events: ["*"], decisions: ["maybe"] });
  expect(parsed).toMatchObject({ ok: false, errors: [{ pointer: "/decisions/0" }] });
  const text = JSON.stringify(parsed);
  expect([text.split("expected").length, text]).toEqual([2, expect.stringContaining(DECISIONS.join(", "))]);
});
