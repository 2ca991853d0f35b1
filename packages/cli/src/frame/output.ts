import { COLOUR_CHOICES, type ColourChoice, isLively, usesColour } from "@svc/process/colour-choice";
import { jsonText, printable } from "@svc/process/printable";
import { type Command, Option } from "commander";
import { stringify } from "yaml";
import type { Terminal } from "./terminal.ts";
import { renderText, type Text } from "./text.ts";

const OUTPUT_FORMATS = ["pretty", "json", "ndjson", "yaml"] as const;

/** Forms for the tools that run in builds. Only commands that check something have them. */
export const REPORT_FORMATS = ["github", "sarif", "junit", "tap"] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];
export type OutputFormat = (typeof OUTPUT_FORMATS)[number] | ReportFormat;

export interface OutputOptions {
  readonly output: OutputFormat;
  /** Nothing but the exit code and errors. */
  readonly quiet: boolean;
  readonly color: ColourChoice;
}

/** A command's result in every form. */
export interface Result {
  /** For people. Ends with a newline. */
  readonly text: Text;
  /**
   * Name and version of the form of `json`. It changes when a member changes its meaning or goes away. Null:
   * the form is that of a standard.
   */
  readonly schema: `svc.cli.${string}/v${number}` | null;
  readonly json: object;
  /** For `ndjson`, one line each. Left out: `json` in one line. */
  readonly items?: readonly object[];
  /** Each ends with a newline. Left out where the command has no such forms. */
  readonly reports?: Readonly<Record<ReportFormat, () => string>>;
}

/** Adds the options that say how a command writes. */
export function withOutput(command: Command, reports: readonly ReportFormat[] = []): Command {
  return withForms(command, [...OUTPUT_FORMATS, ...reports]);
}

function withForms(command: Command, formats: readonly string[]): Command {
  const json = formats.includes("json") ? "json" : "ndjson";
  return command
    .addOption(new Option("-o, --output <format>", "form of the result").choices(formats).default("pretty"))
    .addOption(new Option("--json", `the same as -o ${json}`).implies({ output: json }))
    .option("--quiet", "print errors only", false)
    .addOption(
      new Option("--color <when>", "colours, also by NO_COLOR, FORCE_COLOR and CLICOLOR")
        .choices(COLOUR_CHOICES)
        .default("auto"),
    );
}

/** Forms of what comes piece by piece: a command that goes on cannot close a list. */
const STREAM_FORMATS = ["pretty", "ndjson"] as const;

/** Adds the options that say how a command writes what comes piece by piece. */
export function withStream(command: Command, more: readonly string[] = []): Command {
  return withForms(command, [...STREAM_FORMATS, ...more]);
}

/** Milliseconds between two lines of progress where a line cannot replace itself. */
const PROGRESS_LINE_MS = 10_000;

/** Where a command writes: its result to stdout, progress and warnings to stderr. */
export class Output {
  /** Whether people read the result at a terminal: tables have columns there, and tabs elsewhere. */
  readonly isTerminal: boolean;
  readonly #terminal: Terminal;
  readonly #options: OutputOptions;
  #progressShown = false;
  #progressLineMs = performance.now();

  constructor(terminal: Terminal, options: OutputOptions) {
    this.#terminal = terminal;
    this.#options = options;
    this.isTerminal = terminal.outIsTerminal === true;
  }

  result(result: Result): void {
    this.#clearProgress();
    if (!this.#options.quiet) this.#terminal.writeOut(this.#render(result));
  }

  warn(message: string): void {
    this.#clearProgress();
    if (!this.#options.quiet) this.#terminal.writeError(`warning: ${printable(message)}\n`);
  }

  /** A line for people beside the result. */
  note(text: Text): void {
    this.#clearProgress();
    const { errorIsTerminal, writeError } = this.#terminal;
    if (!this.#options.quiet)
      writeError(renderText(text, usesColour(this.#options.color, this.#terminal, errorIsTerminal)));
  }

  /** One line that replaces itself at a terminal, and a line of its own every ten seconds elsewhere. */
  progress(message: string): void {
    if (this.#options.quiet) return;
    if (!this.#terminal.errorIsTerminal || !isLively(this.#terminal)) {
      const nowMs = performance.now();
      if (nowMs - this.#progressLineMs < PROGRESS_LINE_MS) return;
      this.#progressLineMs = nowMs;
      this.#terminal.writeError(`${printable(message)}\n`);
      return;
    }
    this.#terminal.writeError(`\r${message}\u001b[K`);
    this.#progressShown = true;
  }

  #render({ text, schema, json, items, reports }: Result): string {
    const { output, color } = this.#options;
    const form = schema === null ? {} : { schema };
    switch (output) {
      case "pretty":
        return renderText(text, usesColour(color, this.#terminal, this.isTerminal));
      case "json":
        return `${jsonText({ ...form, ...json }, 2)}\n`;
      case "ndjson":
        return (items ?? [json]).map((item) => `${jsonText({ ...form, ...item })}\n`).join("");
      case "yaml":
        return printable(stringify({ ...form, ...json }));
      default: {
        const report = reports?.[output];
        if (report === undefined) throw new Error(`no form ${output}: withOutput offers one that is missing`);
        return report();
      }
    }
  }

  #clearProgress(): void {
    if (this.#progressShown) this.#terminal.writeError("\r\u001b[K");
    this.#progressShown = false;
  }
}
