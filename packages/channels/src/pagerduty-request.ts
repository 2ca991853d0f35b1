import { digestOf } from "@svc/text/digest-of";
import type { Message, Notice } from "./notice.ts";
import { plainText } from "./plain-text.ts";

/** Characters of a summary, which PagerDuty limits. */
const MAX_SUMMARY = 1_024;

/** Characters of any other text: more than anybody reads on a phone. */
const MAX_TEXT = 300;

/** The body for the Events API v2 of PagerDuty. What has ended resolves the incident that it opened. */
export function renderPagerdutyRequest({ notice, count }: Message, routingKey: string): string {
  const dedup_key = dedupKey(notice);
  const addressed = { routing_key: routingKey, dedup_key };
  if (notice.state === "ended") return JSON.stringify({ ...addressed, event_action: "resolve" });
  const { title, source, level, at, type, facts, consequence, link } = notice;
  const details: Readonly<Record<string, string>> = Object.fromEntries(
    facts.map(([name, value]) => [name, plainText(value, MAX_TEXT)]),
  );
  return JSON.stringify({
    ...addressed,
    event_action: "trigger",
    payload: {
      summary: plainText(title, MAX_SUMMARY),
      source: plainText(source, MAX_TEXT),
      severity: level,
      timestamp: at,
      component: "svc",
      class: type,
      custom_details: { ...details, consequence, events: count },
    },
    links: [{ href: link.url, text: link.text }],
    client: "Svc",
    client_url: link.url,
  });
}

/** The same for everything about one incident of one organization, and no longer for long names. */
function dedupKey({ org, incident }: Notice): string {
  return `svc-${digestOf([org, incident]).slice("sha256:".length)}`;
}
