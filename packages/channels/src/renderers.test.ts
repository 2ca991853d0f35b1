import { parseJson } from "@svc/text/parse-json";
import { describe, expect, it } from "vitest";
import { renderMail } from "./mail.ts";
import { renderPagerdutyRequest } from "./pagerduty-request.ts";
import { renderSlackMessage } from "./slack-message.ts";
import { noticeOfSample } from "./testing/notice-of-sample.ts";

const APPROVAL = { notice: noticeOfSample("approval.requested"), count: 1 };
const SEVERITY = { notice: noticeOfSample("agent.severity_changed"), count: 40 };
const KEY = "0123456789abcdef0123456789abcdef";

describe("the forms of a notice", () => {
  it("is a message of blocks for a chat", () => {
    expect(parseJson(renderSlackMessage(APPROVAL))).toMatchInlineSnapshot(`
      {
        "blocks": [
          {
            "text": {
              "emoji": false,
              "text": "🟡 Approval needed: refund-agent wants to call payments.refund",
              "type": "plain_text",
            },
            "type": "header",
          },
          {
            "fields": [
              {
                "emoji": false,
                "text": "time: 2026-11-28T09:00:00.000Z",
                "type": "plain_text",
              },
              {
                "emoji": false,
                "text": "agent id: refund-agent",
                "type": "plain_text",
              },
              {
                "emoji": false,
                "text": "namespace: default",
                "type": "plain_text",
              },
              {
                "emoji": false,
                "text": "session id: s-1",
                "type": "plain_text",
              },
              {
                "emoji": false,
                "text": "tool: payments.refund",
                "type": "plain_text",
              },
              {
                "emoji": false,
                "text": "reason: refunds above 100 need approval",
                "type": "plain_text",
              },
              {
                "emoji": false,
                "text": "policy id: payments",
                "type": "plain_text",
              },
              {
                "emoji": false,
                "text": "rule id: large-refund",
                "type": "plain_text",
              },
            ],
            "type": "section",
          },
          {
            "text": {
              "emoji": false,
              "text": "The call waits for a person. Without an answer it stays stopped.",
              "type": "plain_text",
            },
            "type": "section",
          },
          {
            "text": {
              "text": "<https://svc.example/approvals/apr_5c2a|Look at the call and decide>",
              "type": "mrkdwn",
            },
            "type": "section",
          },
        ],
        "text": "🟡 Approval needed: refund-agent wants to call payments.refund",
        "unfurl_links": false,
        "unfurl_media": false,
      }
    `);
  });

  it("is an event for a pager", () => {
    expect(parseJson(renderPagerdutyRequest(SEVERITY, KEY))).toMatchInlineSnapshot(`
      {
        "client": "Svc",
        "client_url": "https://svc.example/",
        "dedup_key": "svc-c2c0fa54d7ac6657fa50373b74cf90cda7454e10a061c280c00e8301b6dde437",
        "event_action": "trigger",
        "links": [
          {
            "href": "https://svc.example/",
            "text": "Open the service",
          },
        ],
        "payload": {
          "class": "agent.severity_changed",
          "component": "svc",
          "custom_details": {
            "agent id": "refund-agent",
            "consequence": "Its new calls are held until it sends heartbeats and authenticates again.",
            "events": 40,
            "missed heartbeats": "3",
            "namespace": "default",
            "previous severity": "WARNING",
            "reason": "3 heartbeats are missing",
            "session id": "s-1",
            "severity": "CRITICAL",
          },
          "severity": "error",
          "source": "refund-agent",
          "summary": "CRITICAL: agent refund-agent",
          "timestamp": "2026-11-28T09:00:00.000Z",
        },
        "routing_key": "0123456789abcdef0123456789abcdef",
      }
    `);
  });

  it("resolves the incident when the condition has ended", () => {
    const ended = { notice: { ...SEVERITY.notice, state: "ended" as const }, count: 1 };
    expect(parseJson(renderPagerdutyRequest(ended, KEY))).toMatchInlineSnapshot(`
      {
        "dedup_key": "svc-c2c0fa54d7ac6657fa50373b74cf90cda7454e10a061c280c00e8301b6dde437",
        "event_action": "resolve",
        "routing_key": "0123456789abcdef0123456789abcdef",
      }
    `);
  });

  it("is a mail with the same lines twice", () => {
    expect(renderMail(APPROVAL)).toMatchInlineSnapshot(`
      {
        "html": "<h3>Approval needed: refund-agent wants to call payments.refund</h3>
      <div><b>time:</b> 2026-11-28T09:00:00.000Z</div>
      <div><b>agent id:</b> refund-agent</div>
      <div><b>namespace:</b> default</div>
      <div><b>session id:</b> s-1</div>
      <div><b>tool:</b> payments.refund</div>
      <div><b>reason:</b> refunds above 100 need approval</div>
      <div><b>policy id:</b> payments</div>
      <div><b>rule id:</b> large-refund</div>
      <p>The call waits for a person. Without an answer it stays stopped.</p>
      <p><a href="https://svc.example/approvals/apr_5c2a">Look at the call and decide</a></p>
      ",
        "subject": "[Svc acme] Approval needed: refund-agent wants to call payments.refund",
        "text": "Approval needed: refund-agent wants to call payments.refund

      time: 2026-11-28T09:00:00.000Z
      agent id: refund-agent
      namespace: default
      session id: s-1
      tool: payments.refund
      reason: refunds above 100 need approval
      policy id: payments
      rule id: large-refund

      The call waits for a person. Without an answer it stays stopped.

      Look at the call and decide: https://svc.example/approvals/apr_5c2a
      ",
      }
    `);
  });
});
