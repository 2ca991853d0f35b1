import { describe, expect, it } from "vitest";
import { secretsOf, shownAnswer } from "./send-request.ts";

const shown = (text: string, authorization?: string): string =>
  shownAnswer(Buffer.from(text), secretsOf(authorization));

describe("the answer of a receiver as it is shown", () => {
  // proves INTG-13
  it.each([
    { authorization: "Bearer CANARY77", said: "you sent Bearer CANARY77", is: "you sent ***" },
    { authorization: "Bearer CANARY77", said: '{"token":"CANARY77"}', is: '{"token":"***"}' },
    { authorization: "CANARY77", said: "CANARY77CANARY77", is: "******" },
    { authorization: "Bearer ", said: "Bearer", is: "Bearer" },
    { authorization: undefined, said: "nothing", is: "nothing" },
  ])("hides what $authorization holds in $said", ({ authorization, said, is }) => {
    expect(shown(said, authorization)).toBe(is);
  });

  it("hides a secret that stands where the answer is cut", () => {
    expect(shown(`${"x".repeat(1_020)}CANARY77`, "Bearer CANARY77")).toBe(`${"x".repeat(1_020)}***`);
  });

  it("shows nothing that turns a line around", () => {
    expect(shown("a\u202eb\u0000c\u001b[2Jd\ne")).toBe("a\ufffdb\ufffdc\ufffd[2Jd\ne");
  });
});
