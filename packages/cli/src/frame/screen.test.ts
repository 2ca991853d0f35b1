import { expect, it } from "vitest";
import { Screen } from "./screen.ts";
import type { Terminal } from "./terminal.ts";

// proves CLI-58
it("replaces its picture in place, never longer than the terminal, and leaves the last one", () => {
  let written: string[] = [];
  const terminal: Terminal = {
    environment: {},
    workingDirectory: "/",
    stdin: (async function* () {})(),
    writeOut: (text) => void written.push(text),
    writeError: () => undefined,
    outIsTerminal: true,
    errorIsTerminal: true,
    outSize: () => ({ columns: 40, rows: 5 }),
  };
  const screen = new Screen(terminal, { color: "never" });
  screen.show("a\nb\n");
  screen.show("1\n2\n3\n4\n5\n6\n\u001b[2J\n");
  expect(written).toEqual([
    "\u001b[?1049h\u001b[?7l\u001b[Ha\u001b[K\r\nb\u001b[K\r\n\u001b[J\u001b[?7h",
    "\u001b[?7l\u001b[H1\u001b[K\r\n2\u001b[K\r\n3\u001b[K\r\n... 4 more lines\u001b[K\r\n\u001b[J\u001b[?7h",
  ]);
  written = [];
  screen.close();
  expect(written).toEqual(["\u001b[?1049l1\n2\n3\n4\n5\n6\n\\u{1b}[2J\n"]);
});
