import { parseStrictJson } from "@svc/text/strict-json";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { peekAgent } from "./peek-agent.ts";

const peeked = (text: string): string | null => peekAgent(Buffer.from(text));

describe("peekAgent", () => {
  it.each([
    ['{"agent_id":"a","args":{}}', "a"],
    ['{"args":{"agent_id":"b","x":[{"agent_id":"c"}]},"agent_id" : "a"}', "a"],
    ['{"args":{"t":"\\"agent_id\\":\\"b\\" } ]"},"agent_id":"a"}', "a"],
    ['{"tool":"agent_id","agent_id":"a"}', "a"],
    ['{"t":"\\\\","agent_id":"a"}', "a"],
    ['{"agent\\u005fid":"a"}', null],
    ['{"agent_id":"\\u0061"}', null],
    ['{"agent_id":7}', null],
    ['{"args":{"agent_id":"b"}}', null],
    ['{"agent_id":"a', null],
    ['{"agent_id', null],
    ["", null],
  ])("reads %s", (text, wanted) => {
    expect(peeked(text)).toBe(wanted);
  });

  it("finds what the strict parser reads, in every document", () => {
    const args = fc.dictionary(fc.oneof(fc.constant("agent_id"), fc.string()), fc.jsonValue({ maxDepth: 3 }));
    const agent = fc.stringMatching(/^[a-z0-9:._-]{1,12}$/);
    const spaces = fc.constantFrom("", " ", "\n\t");
    fc.assert(
      fc.property(args, agent, fc.boolean(), spaces, (rest, agentId, first, space) => {
        const parts = [
          `"agent_id"${space}:${space}${JSON.stringify(agentId)}`,
          `"args":${JSON.stringify(rest)}`,
        ];
        const text = `{${(first ? parts : parts.toReversed()).join(`${space},${space}`)}}`;
        fc.pre(parseStrictJson(Buffer.from(text)).ok);
        expect(peeked(text)).toBe(agentId);
      }),
    );
  });
});
