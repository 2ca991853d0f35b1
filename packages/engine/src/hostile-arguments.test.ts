import { isJsonObject } from "@svc/text/json-value";
import { parseStrictJson } from "@svc/text/strict-json";
import { describe, expect, it } from "vitest";
import { callOf, compiled } from "./testing/compiled.suite.ts";
import { dataFile } from "./testing/data-files.suite.ts";

type Tool = "pay" | "sql" | "send" | "read" | "say";

const { policy, documents, ...texts } = dataFile<
  { policy: string; documents: string[] } & Record<Tool, string[]>
>("hostile-arguments.yaml");
const subject = compiled(policy);

/** As a request would be: refused by the reader, or decided. */
function answerTo(tool: string, text: string): string {
  const read = parseStrictJson(Buffer.from(text));
  if (!read.ok || !isJsonObject(read.value)) return "refused";
  return subject.evaluate(callOf(tool, read.value)).decision;
}

describe("arguments that try to pass a rule", () => {
  // proves POL-54
  it.each(Object.entries(texts).flatMap(([tool, all]) => all.map((text) => ({ tool, text }))))(
    "E3, E8: $tool $text",
    ({ tool, text }) => {
      expect(["deny", "refused"]).toContain(answerTo(tool, text));
    },
  );

  // proves POL-54
  it.each(documents)("E3: %j is not a document", (text) => {
    expect(answerTo("pay", text)).toBe("refused");
  });

  it.each([
    ["pay", '{"amount": 500}'],
    ["pay", '{"amount": 5e-1}'],
    ["sql", '{"q": "select 1"}'],
    ["sql", '{"q": ["select", "1"]}'],
    ["send", '{"country": "\\u0044E"}'],
    ["read", '{"path": "/srv/etc"}'],
    ["read", '{"path": "/etc2/x"}'],
    ["say", '{"text": "nothing of the kind"}'],
  ])("%s %s is allowed: not everything is denied", (tool, text) => {
    const answer = answerTo(tool, text);
    // A regular expression judges texts alone: a list of them restricts.
    expect(answer).toBe(text.includes("[") ? "deny" : "allow");
  });
});
