import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { readFault } from "../frame/files.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { readInput } from "../frame/read-input.ts";
import { oneLine } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import { type FinderOptions, finderOf } from "./finders.ts";
import { type PlacedFinding, placeFindings } from "./place-findings.ts";

export type TestOptions = OutputOptions & FinderOptions;

/** Shows what the detectors find in files. @throws CommandFailure `usage` */
export async function testFiles(
  files: readonly string[],
  options: TestOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const output = new Output(terminal, options);
  const finder = await finderOf(options, terminal);
  const results = [];
  for (const file of files) {
    const text = await readText(file, terminal);
    results.push({ file, findings: placeFindings(text, await finder.find(text)) });
  }
  const found = results.flatMap(({ file, findings }) => findings.map((finding) => ({ file, ...finding })));
  output.result({
    text:
      found.length === 0 ? "nothing was found\n" : found.flatMap((one) => linesOf(one, output.isTerminal)),
    schema: "svc.cli.guardrails-test/v1",
    json: { detectors: finder.names, files: results },
    items: found,
  });
  return found.length === 0 ? "ok" : "failed";
}

async function readText(file: string, terminal: Terminal): Promise<string> {
  try {
    return await readInput(file, terminal);
  } catch (error) {
    throw new CommandFailure("usage", `${file}: expected a text: ${readFault(error)}`, error);
  }
}

function linesOf(
  { file, ...found }: PlacedFinding & { readonly file: string },
  isTerminal: boolean,
): Piece[] {
  const { detector, line, column, end_line, end_column, length, masked_line } = found;
  const place = `${file}:${String(line)}:${String(column)}`;
  const size = `${String(length)} characters, to ${String(end_line)}:${String(end_column)}`;
  if (!isTerminal) return [`${[place, detector, size, masked_line].map(oneLine).join("\t")}\n`];
  return [
    `${place}  `,
    { text: detector, as: "warning" },
    `  ${size}\n`,
    { text: `  ${oneLine(masked_line)}\n`, as: "dim" },
  ];
}
