import { type ColourChoice, usesColour } from "@svc/process/colour-choice";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";
import { Output } from "./output.ts";
import { renderTable } from "./tables.ts";
import { renderText } from "./text.ts";

describe("usesColour", () => {
  // proves CLI-14
  it.each<[ColourChoice, Record<string, string>, boolean, boolean]>([
    ["auto", {}, true, true],
    ["auto", {}, false, false],
    ["auto", { NO_COLOR: "1" }, true, false],
    ["auto", { NO_COLOR: "" }, true, true],
    ["auto", { NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
    ["auto", { FORCE_COLOR: "1" }, false, true],
    ["auto", { FORCE_COLOR: "0" }, true, false],
    ["auto", { FORCE_COLOR: "1", CI: "true" }, false, true],
    ["auto", { CLICOLOR: "0" }, true, false],
    ["auto", { TERM: "dumb" }, true, false],
    ["auto", { CI: "true" }, true, false],
    ["always", { NO_COLOR: "1" }, false, true],
    ["never", { FORCE_COLOR: "1" }, true, false],
  ])("%s with %o at a terminal %s: %s", (choice, environment, isTerminal, expected) => {
    expect(usesColour(choice, { environment }, isTerminal)).toBe(expected);
  });
});

describe("renderText", () => {
  // proves CLI-14
  it("lets no escape sequence of a value through, and writes its own", () => {
    const text = ["\u001b[8mhidden\n", { text: "bad\u001b[0m", as: "bad" }] as const;
    expect(renderText(text, true)).toBe("\\u{1b}[8mhidden\n\u001b[31mbad\\u{1b}[0m\u001b[39m");
    expect(renderText(text, false)).toBe("\\u{1b}[8mhidden\nbad\\u{1b}[0m");
  });
});

describe("renderTable", () => {
  const headings = ["NAME", "N"];
  const rows = [
    ["long name", "1"],
    ["a\tb", "2"],
  ];

  it("has columns and a heading at a terminal, tabs and none elsewhere", () => {
    expect(renderTable(headings, rows, true)).toBe("NAME       N\nlong name  1\na b        2\n");
    expect(renderTable(headings, rows, false)).toBe("long name\t1\na b\t2\n");
  });
});

describe("a result", () => {
  // proves CLI-14
  it("is coloured at a terminal, and never in JSON", async () => {
    const policy = { stdin: "id: p\ntools: {allowed: [mail.*]}\n", outIsTerminal: true };
    expect((await runCaptured(["validate", "-"], policy)).out).toContain("\u001b[32mvalid\u001b[39m");
    expect((await runCaptured(["validate", "-", "-o", "json"], policy)).out).not.toContain("\u001b");
    expect((await runCaptured(["validate", "-", "--color", "never"], policy)).out).not.toContain("\u001b");
  });
});

describe("progress", () => {
  /** What is written of messages that come a second apart. */
  function written(seconds: number, { errorIsTerminal = false, quiet = false, CI = "" } = {}): string {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    let error = "";
    const terminal = {
      environment: { CI },
      workingDirectory: "/",
      stdin: (async function* () {})(),
      writeOut: () => undefined,
      writeError: (text: string) => (error += text),
      errorIsTerminal,
    };
    const output = new Output(terminal, { output: "pretty", quiet, color: "auto" });
    for (let second = 1; second <= seconds; second += 1) {
      vi.advanceTimersByTime(1_000);
      output.progress(String(second));
    }
    return error;
  }

  // proves CLI-14
  it("is a line that replaces itself at a terminal, and a plain one every ten seconds elsewhere", () => {
    expect(written(2, { errorIsTerminal: true })).toBe("\r1\u001b[K\r2\u001b[K");
    expect(written(9)).toBe("");
    expect(written(31)).toBe("10\n20\n30\n");
    expect(written(11, { errorIsTerminal: true, CI: "true" })).toBe("10\n");
    expect(written(31, { quiet: true })).toBe("");
  });
});
