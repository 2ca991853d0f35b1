import { describe, expect, it } from "vitest";
import { type Report, reportsOf } from "./report.ts";

const HOSTILE = "a,b:%\n::error::x ]]> <&\"'\u0000\ud800 # SKIP";

const report: Report = {
  tool: "validate",
  items: [
    { group: "dir/a b.yaml", name: "is valid", outcome: "passed", problems: [] },
    {
      group: "b.yaml",
      name: HOSTILE,
      outcome: "failed",
      problems: [
        {
          severity: "error",
          code: "policy/syntax",
          file: "dir/a b#.yaml",
          line: 3,
          column: 4,
          message: HOSTILE,
          detail: "fix: it",
        },
      ],
    },
  ],
};

const forms = reportsOf(report);

describe("reports", () => {
  // proves CLI-16
  it("github: one command for each problem, which no text can end", () => {
    expect(forms.github()).toBe(
      "::error file=dir/a b#.yaml,line=3,col=4,title=policy/syntax::" +
        "a,b:%25%0A::error::x ]]> <&\"'\\u{0}\ud800 # SKIP%0Afix: it\n",
    );
  });

  // proves CLI-16
  it("sarif: results at places, with percent-encoded addresses", () => {
    const log = JSON.parse(forms.sarif()) as { version: string; runs: [{ results: unknown[] }] };
    expect(log.version).toBe("2.1.0");
    expect(log.runs[0].results).toMatchObject([
      {
        ruleId: "policy/syntax",
        ruleIndex: 0,
        level: "error",
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: "dir/a%20b%23.yaml" },
              region: { startLine: 3, startColumn: 4 },
            },
          },
        ],
      },
    ]);
  });

  // proves CLI-16
  it("junit: counts, and only characters of XML", () => {
    const xml = forms.junit();
    expect(xml).toContain('<testsuites tests="2" failures="1">');
    expect(xml).toContain("x ]]&gt; &lt;&amp;&quot;'\\u{0}\ufffd # SKIP");
    expect(xml).not.toContain("\u0000");
  });

  // proves CLI-16
  it("tap: a plan, and no directive out of a name", () => {
    const lines = forms.tap().split("\n");
    expect(lines.slice(0, 3)).toEqual(["TAP version 14", "1..2", "ok 1 - dir/a b.yaml: is valid"]);
    expect(lines[3]).toMatch(/^not ok 2 - b\.yaml: .*\\# SKIP$/);
  });
});
