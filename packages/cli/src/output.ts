import { printable } from "./printable.ts";
import type { Terminal } from "./terminal.ts";

export const OUTPUT_FORMATS = ["text", "json"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export interface OutputOptions {
  readonly format: OutputFormat;
  /** Nothing but the exit code and errors. */
  readonly quiet: boolean;
}

/** A command's result in both forms. `text` ends with a newline. */
export interface Result {
  readonly text: string;
  readonly json: unknown;
}

/** Where a command writes: its result to stdout, progress and warnings to stderr. */
export class Output {
  readonly #terminal: Terminal;
  readonly #options: OutputOptions;
  #progressShown = false;

  constructor(terminal: Terminal, options: OutputOptions) {
    this.#terminal = terminal;
    this.#options = options;
  }

  result({ text, json }: Result): void {
    this.#clearProgress();
    if (this.#options.quiet) return;
    this.#terminal.writeOut(
      this.#options.format === "json" ? `${JSON.stringify(json, null, 2)}\n` : printable(text),
    );
  }

  warn(message: string): void {
    this.#clearProgress();
    if (!this.#options.quiet) this.#terminal.writeError(`warning: ${printable(message)}\n`);
  }

  /** One line that replaces itself. */
  progress(message: string): void {
    if (this.#options.quiet || !this.#terminal.errorIsTerminal) return;
    this.#terminal.writeError(`\r${message}\u001b[K`);
    this.#progressShown = true;
  }

  #clearProgress(): void {
    if (this.#progressShown) this.#terminal.writeError("\r\u001b[K");
    this.#progressShown = false;
  }
}
