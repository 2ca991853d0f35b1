import { sampleWebhookEvent } from "@svc/contract/webhook-event";
import { describe, expect, it } from "vitest";
import { NOTIFIED_TYPES, noticeOf } from "./notice.ts";
import { noticeOfSample } from "./testing/notice-of-sample.ts";

const AT = { id: "evt_1", timestamp: "2026-11-28T09:00:00.000Z", org_id: "acme" };
const URL = "https://svc.example";

function severityNotice(data: Readonly<Record<string, string>>) {
  const event = sampleWebhookEvent("agent.severity_changed", AT);
  return noticeOf({ ...event, data: { ...event.data, ...data } }, URL);
}

// proves CHAN-01
describe("noticeOf", () => {
  it("says what happened, what follows from it and where to look", () => {
    expect(noticeOfSample("approval.requested")).toMatchInlineSnapshot(`
      {
        "at": "2026-11-28T09:00:00.000Z",
        "condition": "approval/refund-agent",
        "consequence": "The call waits for a person. Without an answer it stays stopped.",
        "facts": [
          [
            "agent id",
            "refund-agent",
          ],
          [
            "namespace",
            "default",
          ],
          [
            "session id",
            "s-1",
          ],
          [
            "tool",
            "payments.refund",
          ],
          [
            "reason",
            "refunds above 100 need approval",
          ],
          [
            "policy id",
            "payments",
          ],
          [
            "rule id",
            "large-refund",
          ],
        ],
        "incident": "approval/refund-agent",
        "isFollowed": false,
        "level": "warning",
        "link": {
          "text": "Look at the call and decide",
          "url": "https://svc.example/approvals/apr_5c2a",
        },
        "org": "acme",
        "source": "refund-agent",
        "state": "raised",
        "title": "Approval needed: refund-agent wants to call payments.refund",
        "type": "approval.requested",
      }
    `);
  });

  it.each([...NOTIFIED_TYPES])("names a fact, a consequence and a link of %s", (type) => {
    const { facts, consequence, link, title, condition } = noticeOfSample(type);
    expect(facts.length).toBeGreaterThan(1);
    expect(facts.length).toBeLessThan(10);
    expect(consequence).toMatch(/\w.*\.$/);
    expect(link.url.startsWith(`${URL}/`)).toBe(true);
    expect(title).not.toMatch(/undefined|null/);
    expect(condition).not.toMatch(/undefined|null|\/$/);
  });

  it("says nothing about decisions", () => {
    expect(noticeOf(sampleWebhookEvent("policy.decision", AT), URL)).toBeNull();
  });

  it.each([
    ["EMERGENCY", "critical", "raised"],
    ["CRITICAL", "error", "raised"],
    ["WARNING", "warning", "raised"],
    ["INFO", "info", "ended"],
  ] as const)("calls the severity %s %s, and it is %s", (severity, level, state) => {
    expect(severityNotice({ severity })).toMatchObject({ level, state });
  });

  it("has one incident for a session, whatever its severity", () => {
    const incidents = ["WARNING", "INFO"].map((severity) => severityNotice({ severity })?.incident);
    expect(new Set(incidents).size).toBe(1);
    expect(severityNotice({ session_id: "s-2" })?.incident).not.toBe(incidents[0]);
  });
});
