import { DETECTOR_NAMES, type DetectorName } from "@svc/engine/detector";
import { nearestName } from "@svc/text/nearest-name";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { readFault } from "../frame/files.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { readInput } from "../frame/read-input.ts";
import { oneLine } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import { findInText, type PlacedFinding } from "./find-in-text.ts";

export interface TestOptions extends OutputOptions {
  readonly detectors?: string;
}

/** Shows what the detectors find in files. @throws CommandFailure `usage` */
export async function testFiles(
  files: readonly string[],
  options: TestOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const output = new Output(terminal, options);
  const names = options.detectors === undefined ? DETECTOR_NAMES : detectorsOf(options.detectors);
  const results = [];
  for (const file of files)
    results.push({ file, findings: findInText(await readText(file, terminal), names) });
  const found = results.flatMap(({ file, findings }) => findings.map((finding) => ({ file, ...finding })));
  output.result({
    text:
      found.length === 0 ? "nothing was found\n" : found.flatMap((one) => linesOf(one, output.isTerminal)),
    schema: "svc.cli.guardrails-test/v1",
    json: { detectors: names, files: results },
    items: found,
  });
  return found.length === 0 ? "ok" : "failed";
}

function detectorsOf(list: string): readonly DetectorName[] {
  return list.split(",").map((text) => {
    const name = DETECTOR_NAMES.find((known) => known === text);
    if (name !== undefined) return name;
    const nearest = nearestName(text, DETECTOR_NAMES);
    const hint = nearest === null ? "see svc-cli guardrails list" : `did you mean ${nearest}?`;
    throw new CommandFailure("usage", `--detectors: no detector ${JSON.stringify(text)}: ${hint}`);
  });
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
