import { printable } from "@svc/process/printable";
import type { Emphasis, Piece } from "./text.ts";

/** Blanks between two columns. */
const GAP = 2;

/**
 * Rows as columns with a heading at a terminal, and as lines with tabs and without a heading elsewhere.
 * Every line ends with a newline.
 */
export function renderTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  isTerminal: boolean,
): string {
  if (!isTerminal) return rows.map((row) => `${row.map(oneLine).join("\t")}\n`).join("");
  const lines = [headings, ...rows.map((row) => row.map((cell) => printable(oneLine(cell))))];
  const widths = headings.map((_, at) => Math.max(...lines.map((line) => (line[at] ?? "").length)));
  const padded = (line: readonly string[]): string =>
    line.map((cell, at) => cell.padEnd((widths[at] ?? 0) + GAP)).join("");
  return lines.map((line) => `${padded(line).trimEnd()}\n`).join("");
}

/** A text from elsewhere on one line: a tab or a line end in it would make another cell or row of it. */
export function oneLine(text: string): string {
  return text.replace(/[\t\r\n]/g, " ");
}

/** A name and its value, which may have lines. */
export type Member = readonly [name: string, value: string, as?: Emphasis];

/** Blanks between the longest name and the values. */
const MEMBER_GAP = 2;

/** Members of one thing, a line each. Further lines of a value stand below its first one. */
export function renderMembers(members: readonly Member[]): Piece[] {
  const width = Math.max(...members.map(([name]) => name.length)) + MEMBER_GAP;
  return members.flatMap(([name, value, as]) => {
    const text = value.replaceAll("\n", `\n${" ".repeat(width)}`);
    return [name.padEnd(width), as === undefined ? text : { text, as }, "\n"];
  });
}
