import { describe, expect, it } from "vitest";
import { parseUnsteady } from "./unsteady.ts";

const NOW = { nowMs: Date.parse("2026-11-24T12:00:00Z"), exists: (path: string) => path.startsWith("e2e/") };

const expectedBy = (text: string) => parseUnsteady(text, NOW).findings.map(({ expected }) => expected);

describe("the list of unsteady files", () => {
  it("holds a path, a day and a reason on each line, beside comments", () => {
    expect(parseUnsteady("# comment\n\ne2e/a.test.ts 2026-11-20 its peer is late at times\n", NOW)).toEqual({
      files: [{ path: "e2e/a.test.ts", since: "2026-11-20", reason: "its peer is late at times" }],
      findings: [],
    });
  });

  it.each([
    ["e2e/a.test.ts", /a path, a day/],
    ["e2e/a.test.ts 2026-11-20", /a path, a day/],
    ["e2e/a.test.ts 2026-13-45 reason", /not in the future/],
    ["e2e/a.test.ts 2026-11-25 reason", /not in the future/],
    ["e2e/a.test.ts 2026-11-09 reason", /of the last 14 days/],
    ["packages/a.test.ts 2026-11-20 reason", /the path of a file/],
  ])("refuses %j", (line, message) => {
    expect(expectedBy(line)).toEqual([expect.stringMatching(message)]);
    expect(parseUnsteady(line, NOW).files).toEqual([]);
  });

  it("refuses a sixth file", () => {
    const lines = Array.from({ length: 6 }, (_, at) => `e2e/${String(at)}.test.ts 2026-11-20 reason`);
    const { files, findings } = parseUnsteady(lines.join("\n"), NOW);
    expect(files).toHaveLength(5);
    expect(findings).toMatchObject([{ line: 6, expected: "at most 5 files" }]);
  });
});
