import type { Emphasis, Piece } from "./text.ts";

/** A name and its value, which may have lines. */
export type Member = readonly [name: string, value: string, as?: Emphasis];

/** Blanks between the longest name and the values. */
const GAP = 2;

/** Members of one thing, a line each. Further lines of a value stand below its first one. */
export function renderMembers(members: readonly Member[]): Piece[] {
  const width = Math.max(...members.map(([name]) => name.length)) + GAP;
  return members.flatMap(([name, value, as]) => {
    const text = value.replaceAll("\n", `\n${" ".repeat(width)}`);
    return [name.padEnd(width), as === undefined ? text : { text, as }, "\n"];
  });
}
