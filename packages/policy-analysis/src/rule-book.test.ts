import { describe, expect, it } from "vitest";
import { formatDiagnostics } from "./format-diagnostic.ts";
import { renderRuleBook } from "./testing/render-rule-book.suite.ts";
import { answersTo, callsOf, type Intent, load, ruleBook } from "./testing/rule-book.suite.ts";

const BOOK = ruleBook();
const INTENTS = BOOK.flatMap(({ intents }) => intents);

const named = (has: (intent: Intent) => boolean) =>
  INTENTS.filter(has).map((intent) => [`${String(intent.number)}. ${intent.intent}`, intent] as const);

const expected = (block: string | undefined) =>
  callsOf(block).map(({ text, expectation }) => `${text} -> ${expectation}`);

describe("docs/RULES.md", () => {
  it("gives each rule a title of its own", () => {
    const titles = INTENTS.map(({ intent }) => intent);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  // proves POL-96
  it.each(named(({ policy }) => policy !== undefined))("%s: the rule answers as shown", (_, intent) => {
    const loaded = load(intent.policy ?? "");
    expect(formatDiagnostics(loaded.findings)).toBe("");
    if (loaded.kind === "refused") return;
    const calls = callsOf(intent.calls);
    expect(calls.length).toBeGreaterThan(1);
    expect(answersTo(loaded.policy, calls)).toEqual(expected(intent.calls));
  });

  // proves POL-96
  it.each(named(({ tempting }) => tempting !== undefined))("%s: the tempting rule fails", (_, intent) => {
    const tempting = load(intent.tempting ?? "");
    if (tempting.kind === "refused") return;
    const slips = callsOf(intent.slips);
    expect(slips.length).toBeGreaterThan(0);
    const answers = answersTo(tempting.policy, slips);
    expect(answers).toEqual(expected(intent.slips));
    const safe = intent.policy === undefined ? null : load(intent.policy);
    if (safe?.kind !== "loads") return;
    for (const [index, answer] of answersTo(safe.policy, slips).entries())
      expect(answer).not.toBe(answers[index]);
  });

  // proves POL-96
  it.each(named(({ tempting }) => tempting !== undefined))(
    "%s: the tempting rule has a finding, or the page says why it has none",
    (_, { tempting, silent }) => {
      const { findings } = load(tempting ?? "");
      expect(findings.length === 0).toBe(silent !== undefined);
    },
  );

  it.each(named(() => true))("%s: is said, or the page says why not and what to do", (_, intent) => {
    expect(intent.policy ?? intent.missing).toBeDefined();
    expect(intent.instead === undefined).toBe(intent.missing === undefined);
    expect(intent.why === undefined).toBe(intent.tempting === undefined);
  });

  // `npm test -- packages/engine/src/rule-book.test.ts -u` writes the page after its data has changed.
  it("is made from testdata/rules", async () => {
    await expect(renderRuleBook(BOOK)).toMatchFileSnapshot("../../../docs/RULES.md");
  });
});
