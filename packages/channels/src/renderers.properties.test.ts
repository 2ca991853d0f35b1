import { parseJson } from "@svc/text/parse-json";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderMail } from "./mail.ts";
import { type Message, NOTIFIED_TYPES, type Notice } from "./notice.ts";
import { renderPagerdutyRequest } from "./pagerduty-request.ts";
import { renderSlackMessage } from "./slack-message.ts";
import { noticeOfSample } from "./testing/notice-of-sample.ts";
import { refusePagerdutyBody } from "./testing/refuse-pagerduty-body.ts";
import { refuseSlackBody } from "./testing/refuse-slack-body.ts";

const KEY = "0123456789abcdef0123456789abcdef";
const HOSTILE = [
  "<!channel>",
  "<https://evil.example|Approve>",
  "&lt;!here&gt;",
  '"><script>alert(1)</script>',
  "a\r\nBcc: victim@example.com",
  "\u202Eevil",
  "'",
] as const;

const text = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: "binary", maxLength: 3_000 }),
  fc.string({ unit: fc.constantFrom("&", "<", '"', "\\", "\u0001", "𝄞"), maxLength: 3_000 }),
);

/** Events that hold whatever an agent can write into its names and reasons. */
const messages = fc
  .record({
    sample: fc.constantFrom(...NOTIFIED_TYPES).map(noticeOfSample),
    title: text,
    source: text.filter((source) => /[\p{L}\p{N}]/u.test(source)),
    values: fc.array(text, { minLength: 9, maxLength: 9 }),
    state: fc.constantFrom<Notice["state"]>("raised", "ended"),
    count: fc.integer({ min: 1, max: 100_000 }),
  })
  .map(({ sample, title, source, values, state, count }): Message => {
    const facts = values.map((value, index) => [`fact ${String(index)}`, value] as const);
    return { notice: { ...sample, title: `Alert ${title}`, source, facts, state }, count };
  });

const numRuns = runs(200, 20_000);

/** Every text of a body of Slack, with its kind. */
function textsOf(value: unknown): readonly { readonly type: string; readonly text: string }[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap(textsOf);
  return "type" in value && "text" in value && typeof value.text === "string"
    ? [...inside, { type: String(value.type), text: value.text }]
    : inside;
}

// proves CHAN-02
describe("what a chat is sent", () => {
  it("is taken by the service, is short, and has nothing of others that is markup", () => {
    fc.assert(
      fc.property(messages, (message) => {
        const body = renderSlackMessage(message);
        expect(refuseSlackBody(body)).toBeNull();
        expect(body.length).toBeLessThan(8_000);
        const { text: fallback, blocks } = parseJson(body) as {
          readonly text: string;
          readonly blocks: unknown;
        };
        const others = textsOf(blocks).filter(({ type }) => type === "plain_text");
        for (const shown of [fallback, ...others.map((each) => each.text)]) {
          expect(shown).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)|[\p{Cc}\u202E]/u);
        }
        const markup = textsOf(blocks).filter(({ type }) => type === "mrkdwn");
        expect(markup.map((each) => each.text)).toEqual([
          expect.stringMatching(/^<https:\/\/svc\.example\/[\w/.%-]*\|[\w ]+>$/),
        ]);
        expect(body).not.toMatch(/"(?:button|actions|input|action_id)"/);
      }),
      { numRuns },
    );
  });
});

// proves CHAN-03
describe("what a pager is sent", () => {
  it("is taken by the service, and ends the incident that it opened", () => {
    fc.assert(
      fc.property(messages, (message) => {
        const body = renderPagerdutyRequest(message, KEY);
        expect(refusePagerdutyBody(body)).toBeNull();
        const ended = renderPagerdutyRequest(
          { ...message, notice: { ...message.notice, state: "ended" } },
          KEY,
        );
        const key = ({ dedup_key }: { readonly dedup_key?: string }) => dedup_key;
        expect(key(parseJson(ended) as object)).toBe(key(parseJson(body) as object));
      }),
      { numRuns },
    );
  });
});

// proves CHAN-04
describe("what a mailbox is sent", () => {
  it("has one line of subject, and nothing of others that is markup", () => {
    fc.assert(
      fc.property(messages, (message) => {
        const { subject, text: plain, html } = renderMail(message);
        expect(subject).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        expect(Array.from(subject).length).toBeLessThanOrEqual(150);
        const tags = html.match(/<[^>]*>/g) ?? [];
        for (const tag of tags)
          expect(tag).toMatch(/^<(?:\/?(?:h3|div|b|p|a)|a href="https:\/\/svc\.example\/[\w/.%-]*")>$/);
        expect(tags.filter((tag) => tag.startsWith("<a "))).toHaveLength(1);
        expect(html.replaceAll(/<[^>]*>/g, "")).not.toMatch(/[<>"']/);
        expect(plain).not.toMatch(/[^\P{Cc}\n]/u);
      }),
      { numRuns },
    );
  });
});
