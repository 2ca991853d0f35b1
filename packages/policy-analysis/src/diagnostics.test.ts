import {
  MAX_GLOBS_PER_LIST,
  MAX_POLICY_BYTES,
  MAX_RULES_PER_POLICY,
  MAX_YAML_ALIASES,
} from "@svc/contract/limits";
import type { Diagnostic } from "@svc/engine/diagnostic";
import { DIAGNOSTIC_CODES, FINDING_CODES, GUARDRAIL_CODES, MODULE_CODES } from "@svc/engine/diagnostic-codes";
import { MAX_DIAGNOSTICS } from "@svc/engine/reporter";
import { dataFiles } from "@svc/engine/testing/data-files";
import { describe, expect, it } from "vitest";
import { formatDiagnostic, formatDiagnostics } from "./format-diagnostic.ts";
import { compileExamined } from "./testing/compile-examined.suite.ts";

function diagnosticsOf(source: string): readonly Diagnostic[] {
  const result = compileExamined(source);
  return result.ok ? result.warnings : result.diagnostics;
}

function wantedIn(text: string): string[] {
  return [...text.matchAll(/^# want: (.*)$/gm)].map((match) => match[1] ?? "");
}

function summary({ line, column, code, witness }: Diagnostic): string {
  return `${String(line)}:${String(column)} ${code}${witness === null ? "" : ` ${witness.call.tool}`}`;
}

/** docs/FINDINGS.md shows those, and what reads modules these; tests of their own run both. */
const SHOWN_ELSEWHERE = { ...FINDING_CODES, ...MODULE_CODES, ...GUARDRAIL_CODES };

const files = ["broken", "warned"].flatMap((folder) =>
  dataFiles(folder).map((file) => ({ folder, ...file })),
);

/** Too large to keep as files. */
const generated: { code: string; source: string }[] = [
  { code: "policy/too-large", source: `id: p\nname: ${"x".repeat(MAX_POLICY_BYTES)}` },
  // So deep that the parser's recursion ends, whatever its frames take by then.
  { code: "policy/too-deep", source: "[".repeat(20_000) },
  { code: "policy/too-deep", source: `id: ${"[".repeat(70)}${"]".repeat(70)}` },
  { code: "policy/too-deep", source: "id: &a [*a]" },
  { code: "policy/alias", source: `id: p\ntools:\n  allowed: [&a x${", *a".repeat(MAX_YAML_ALIASES + 1)}]` },
  { code: "policy/too-many", source: `id: p\ntools: {allowed: [${"a, ".repeat(MAX_GLOBS_PER_LIST + 1)}]}` },
  { code: "policy/too-many", source: `id: p\nrules: [${"{}, ".repeat(MAX_RULES_PER_POLICY + 1)}]` },
];

describe("diagnostics", () => {
  // proves POL-01, POL-31, POL-32
  it.each(files)("Y1, Y2: $folder/$name", ({ folder, text }) => {
    expect(compileExamined(text).ok).toBe(folder === "warned");
    expect(diagnosticsOf(text).map(summary)).toEqual(wantedIn(text));
  });

  // proves POL-34
  it.each(generated)("Y1: $code ($source.length characters)", ({ code, source }) => {
    expect(diagnosticsOf(source).map((diagnostic) => diagnostic.code)).toContain(code);
  });

  it("every code is shown by some file", () => {
    const shown = files.flatMap(({ text }) => wantedIn(text).map((line) => line.split(" ")[1]));
    const codes = new Set([...shown, ...generated.map(({ code }) => code)]);
    const wanted = Object.keys(DIAGNOSTIC_CODES).filter((code) => !Object.hasOwn(SHOWN_ELSEWHERE, code));
    expect(wanted.filter((code) => !codes.has(code))).toEqual([]);
  });

  it("Y1: hostile text ends in few diagnostics and never in an exception", () => {
    const hostile = [
      "]",
      "{a: ",
      "- ",
      "&a ",
      "%a\n",
      "---\n",
      '"\\z',
      "? ",
      "!",
      "a: b: ",
      "\t",
      "\u0000",
      "<<: *a\n",
    ];
    for (const piece of hostile) {
      const diagnostics = diagnosticsOf(piece.repeat(Math.floor(50_000 / piece.length)));
      expect(diagnostics.length).toBeGreaterThan(0);
      expect(diagnostics.length).toBeLessThanOrEqual(MAX_DIAGNOSTICS);
    }
  });

  it("Y1: nested aliases expand at most as often as allowed", () => {
    const levels = Array.from(
      { length: 30 },
      (_, at) => `  l${String(at + 1)}: &l${String(at + 1)} [*l${String(at)}, *l${String(at)}]`,
    );
    const source = `id: p\nsession:\n  l0: &l0 [x]\n${levels.join("\n")}`;
    expect(diagnosticsOf(source).map(({ code }) => code)).toContain("policy/alias");
  });

  it("shows place, line, mark, expectation, finding and fix", () => {
    const result = compileExamined("id: p\nfail_closde: true\n", "a.yaml");
    expect(result.ok ? [] : result.diagnostics.map(formatDiagnostic)).toEqual([
      [
        'a.yaml:2:1: error: unknown key "fail_closde" in the policy [policy/unknown-key]',
        "  2 | fail_closde: true",
        "    | ^",
        "  expected: one of id, name, agent_id, governance_mode, fail_closed, lists, session, cost, tools,",
        "            detectors, rules, rego",
        '  found:    "fail_closde"',
        "  fix:      did you mean fail_closed?",
      ].join("\n"),
    ]);
  });

  it("shows the related place, and folds long lines", () => {
    const source =
      "id: p\ntools: {allowed: ['*']}\nrules:\n" +
      "  - {id: open, priority: 1, match: {tool: mail.*}, action: allow}\n" +
      "  - {id: purge, match: {tool: mail.purge}, action: deny}\n";
    expect(formatDiagnostics(diagnosticsOf(source)).split("\n")).toEqual([
      "policy:5:10: warning: the rule purge never takes effect: open has a lower priority number, and has",
      "  no conditions; for example the tool mail.purge matches both [policy/shadowed-rule]",
      "  5 |   - {id: purge, match: {tool: mail.purge}, action: deny}",
      "    |          ^",
      "  expected: a rule that some call can reach",
      "  found:    tool: mail.purge, behind open with tool: mail.*",
      "  fix:      remove the rule purge, or give it a priority below 1",
      "  witness:  mail.purge {} -> allow",
      "  related:  policy:4:10",
      "  4 |   - {id: open, priority: 1, match: {tool: mail.*}, action: allow}",
      "    |          ^",
    ]);
  });

  it("shows the part of a long line that a finding is about", () => {
    const source = `{"id": "p", "tools": {"allowed": [${'"mail.send", '.repeat(100)}"a b "]}}`;
    const [first] = diagnosticsOf(source);
    const lines = formatDiagnostic(first as Diagnostic).split("\n");
    const [line = "", mark = ""] = lines.filter((shown) => shown.includes(" | "));
    expect(line.slice(mark.indexOf("^"))).toBe('"a b "]}}');
    expect(line.length).toBeLessThan(200);
  });

  it("fits on a page, and says how many findings are left", () => {
    const source = `id: p\n${Array.from({ length: 90 }, (_, at) => `x${String(at)}: 1`).join("\n")}\n`;
    const lines = formatDiagnostics(diagnosticsOf(source)).split("\n");
    expect(lines.length).toBeLessThanOrEqual(62);
    expect(lines.at(-1)).toMatch(/^8[0-9] more findings, at [0-9]+:1, .*, \.\.\.$/);
  });

  it("lets no terminal escape through", () => {
    const lines = diagnosticsOf("id: p\n\"\u001b[31mx\": 1\nname: '\u009b'").map(formatDiagnostic);
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(lines.join("\n")).not.toMatch(/[\u001b\u009b]/);
  });

  it("points into the document with a JSON pointer", () => {
    const [first] = diagnosticsOf("id: p\nrules: [{id: r, match: {tool: 'a/b~c d '}, action: deny}]");
    expect(first?.pointer).toBe("/rules/0/match/tool");
  });
});
