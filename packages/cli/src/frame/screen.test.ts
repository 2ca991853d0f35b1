import { expect, it } from "vitest";
import { Screen } from "./screen.ts";
import type { Terminal } from "./terminal.ts";

function terminalOf(rows: number, written: string[]): Terminal {
  return {
    environment: {},
    workingDirectory: "/",
    stdin: (async function* () {})(),
    writeOut: (text) => void written.push(text),
    writeError: () => undefined,
    outIsTerminal: true,
    errorIsTerminal: true,
    outSize: () => ({ columns: 40, rows }),
  };
}

// proves CLI-58
it("shows the whole picture at a terminal that does not say how many lines it has", () => {
  const written: string[] = [];
  new Screen(terminalOf(0, written), { color: "never" }).show("a\nb\n");
  expect(written).toEqual(["\u001b[?1049h\u001b[?7l\u001b[Ha\u001b[K\r\nb\u001b[K\r\n\u001b[J\u001b[?7h"]);
});

// proves CLI-58
it("replaces its picture in place, never longer than the terminal, and leaves the last one", () => {
  const written: string[] = [];
  const screen = new Screen(terminalOf(5, written), { color: "never" });
  screen.show("a\nb\n");
  screen.show("1\n2\n3\n4\n5\n6\n\u001b[2J\n");
  expect(written).toEqual([
    "\u001b[?1049h\u001b[?7l\u001b[Ha\u001b[K\r\nb\u001b[K\r\n\u001b[J\u001b[?7h",
    "\u001b[?7l\u001b[H1\u001b[K\r\n2\u001b[K\r\n3\u001b[K\r\n... 4 more lines\u001b[K\r\n\u001b[J\u001b[?7h",
  ]);
  written.length = 0;
  screen.close();
  expect(written).toEqual(["\u001b[?1049l1\n2\n3\n4\n5\n6\n\\u{1b}[2J\n"]);
});
