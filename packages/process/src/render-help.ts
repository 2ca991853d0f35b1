import type { EnvironmentTable } from "./environment-table.ts";
import type { Program } from "./program.ts";
import { VERSION } from "./version.ts";

/** Columns of a terminal that the help fills at most. */
const WIDTH = 100;

/** The help of a program: what it is, examples, options, then every variable with its default. */
export function renderHelp({ name, summary, examples, options = {}, table }: Program): string {
  const allOptions = {
    ...options,
    "--help": "show this text and exit",
    "--version": "show the version and exit",
  };
  const optionWidth = Math.max(...Object.keys(allOptions).map((option) => option.length));
  const lines = [
    `${name} ${VERSION}: ${summary}`,
    "",
    "Examples:",
    ...examples.map((example) => `  ${example}`),
    "",
    "Options:",
    ...Object.entries(allOptions).map(([option, meaning]) => `  ${option.padEnd(optionWidth)}  ${meaning}`),
    "",
    renderVariables(table),
  ];
  return lines.join("\n");
}

/** The part of a help that lists variables. It ends with a line break. */
export function renderVariables(table: EnvironmentTable): string {
  const lines = Object.entries(table).flatMap(([name, { defaultText, meaning, secret = false }]) => [
    `  ${name} (default: ${defaultText})`,
    ...wrap(secret ? `${meaning}; ${name}_FILE names a file that holds it` : meaning),
  ]);
  return `Environment variables:\n${lines.join("\n")}\n`;
}

function wrap(text: string): string[] {
  const indent = "      ";
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(" ")) {
    if (line.length + word.length >= WIDTH && line !== indent) {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()];
}
