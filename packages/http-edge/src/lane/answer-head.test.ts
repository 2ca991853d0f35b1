import fc from "fast-check";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { COMMON_HEADERS } from "../answer.ts";
import { answerHead, joinedHead } from "./answer-head.ts";

beforeEach(() => {
  // Both heads of a case have the same second.
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
});

const names = [
  "content-type",
  "x-request-id",
  "connection",
  "content-length",
  ...Object.keys(COMMON_HEADERS),
];
const headers = fc.dictionary(fc.constantFrom(...names), fc.stringMatching(/^[ -~]{0,20}$/));
const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string().map((body) => Buffer.from(body)),
);

// proves OPS-67
it("writes the same bytes in the short way and in the general way", () => {
  const after = fc.constantFrom("kept", "ended");
  const answers = fc.record({ status: fc.constantFrom(200, 202, 403, 503, 799), text, headers });
  fc.assert(
    fc.property(answers, fc.option(headers), after, (answer, set, then) => {
      expect(answerHead(answer, set, then)).toBe(joinedHead(answer, set, then));
    }),
  );
});

it.each(["a\r\nb: c", "\u00e9", "\n"])("refuses the value %j, which could end its line", (value) => {
  const answer = { status: 200, text: "", headers: { "x-request-id": value } };
  expect(() => answerHead(answer, null, "kept")).toThrow(/x-request-id/);
  expect(() => answerHead(answer, { "x-a": "b" }, "ended")).toThrow(/x-request-id/);
});
