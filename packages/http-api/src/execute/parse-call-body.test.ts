import { parseExecuteRequest } from "@svc/contract/parse-execute-request";
import { describe, expect, it } from "vitest";
import { parseJsonInput } from "../request-input.ts";
import { parseCallBody } from "./parse-call-body.ts";

describe("the body of a call", () => {
  it.each([
    '{"agent_id":"a","tool":"t","args":{"x":[1,{"y":"z"}]},"session_id":"s","namespace":"n","cost_usd":"0.1"}',
    '{"agent_id":"a","tool":"t","args":{"text":"\\n"}}',
    '{"agent_id":"a","tool":"t","tool":"u"}',
    '{"agent_id":"a","tool":"t","args":{"__proto__":{"x":1}}}',
    '{"agent_id":"a","tool":"t","args":[]}',
    '{"agent_id":"a","tool":"t","unknown":1}',
    '{"agent_id":"a"',
    "null",
    "",
  ])("gets the answer of the strict reader: %s", (text) => {
    const bytes = Buffer.from(text);
    expect(parseCallBody(bytes)).toEqual(parseJsonInput(bytes, parseExecuteRequest));
  });
});
