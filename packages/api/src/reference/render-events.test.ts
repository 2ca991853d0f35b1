import { readFileSync } from "node:fs";
import { sampleWebhookEvent, WEBHOOK_TYPES } from "@svc/contract/webhook-event";
import { expect, it } from "vitest";
import { WEBHOOK_BODIES } from "../webhook-bodies.ts";
import { KINDS_HEADING, renderDelivery, renderEvents } from "./render-events.ts";

const PAGE = new URL("../../../../docs/EVENTS.md", import.meta.url);

// proves HOOK-24
// `npm test -- packages/api -u` writes the part after the table of events has changed.
it("docs/EVENTS.md lists every kind as the table has it", async () => {
  const [tour = "", ...others] = readFileSync(PAGE, "utf8").split(`\n${KINDS_HEADING}\n`);
  expect(others.length).toBeLessThan(2);
  const delivery = `\`\`\`text\n${await renderDelivery()}\n\`\`\``;
  const shown = tour.replace(/```text\nPOST .*?\n```/s, () => delivery);
  await expect(`${shown}\n${renderEvents()}`).toMatchFileSnapshot(PAGE.pathname);
});

it.each(WEBHOOK_TYPES)("the body of %s has the form that the description shows", (type) => {
  const about = { id: "evt_1", timestamp: "2026-11-22T09:41:07.123Z", org_id: "acme" };
  expect(WEBHOOK_BODIES[type].safeParse(sampleWebhookEvent(type, about)).error).toBeUndefined();
});
