import { CHAT, sentEvents } from "@svc/tool-calls/testing/streamed-answers";
import { describe, expect, it } from "vitest";
import { parseModelAnswer } from "./model-answer.ts";

const EVENTS = sentEvents(CHAT.write([{ tool: "a", pieces: ['{"x":1}'] }]));
const CALLS = [{ tool: "a", args: { x: 1 } }];

function parse(headers: Readonly<Record<string, readonly string[]>>): unknown {
  const message = {
    direction: "response" as const,
    headers: new Map(Object.entries(headers)),
    body: Buffer.from(EVENTS),
  };
  const parsed = parseModelAnswer(message, "openai");
  return parsed.ok ? parsed.value.calls : parsed.deny.reason;
}

describe("an answer that comes as events", () => {
  it.each(["text/event-stream", "text/event-stream; charset=utf-8", 'Text/Event-Stream;charset="UTF-8"'])(
    "is read as %s",
    (type) => {
      expect(parse({ "content-type": [type] })).toEqual(CALLS);
    },
  );

  it.each([
    [["text/event-stream; charset=utf-16"]],
    [["text/event-stream-x"]],
    [["application/json"]],
    [["text/event-stream", "text/event-stream"]],
    [[]],
  ])("is refused as %j", (types) => {
    expect(parse({ "content-type": types })).toMatch(/^(?:content-type|body): expected/);
  });

  it.each([
    ["a content coding", { "content-encoding": ["gzip"] }, "content-encoding"],
    ["another length", { "content-length": ["3"] }, "body"],
    ["a redirect", { ":status": ["302"] }, ":status"],
  ])("X6: is refused with %s", (_, headers, where) => {
    expect(parse({ "content-type": ["text/event-stream"], ...headers })).toMatch(
      new RegExp(`^${where}: expected`),
    );
  });
});
