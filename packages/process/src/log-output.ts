import { writeSync } from "node:fs";
import { isatty } from "node:tty";
import type { LogFormat } from "./log-format.ts";
import { type LogPlace, type LogRenderer, logRendererOf } from "./log-line.ts";

/**
 * Bytes of lines that are kept while the output accepts none: 256 KiB, some thousand lines. Further lines are
 * dropped and counted, so that an outage of the log takes no more memory.
 */
const MAX_KEPT_BYTES = 256 * 1024;

/** Milliseconds between two tries to write what is kept. */
const RETRY_INTERVAL_MS = 250;

const STDOUT = 1;

/** Takes whole lines of JSON, each with its newline. Never throws and never waits. */
export interface LogOutput {
  write(line: string): void;
}

/** Where lines go. */
export interface LogStream extends LogPlace {
  readonly write: WriteBytes;
}

/** Writes some of the bytes and says how many. @throws when none can be written. */
export type WriteBytes = (bytes: Uint8Array) => number;

const standardOutput: LogStream = {
  write: (bytes) => writeSync(STDOUT, bytes),
  isTerminal: isatty(STDOUT),
  environment: process.env,
};

/**
 * The log of a program on its standard output. A full disk, a pipe that nobody reads or a reader that has
 * gone must neither end the program nor delay a decision. Lines that cannot be written are kept, up to a
 * bound, and tried again. Once the log can be written, one line says how many lines were dropped.
 */
export function createLogOutput(
  format: LogFormat,
  stream: LogStream = standardOutput,
  maxKeptBytes = MAX_KEPT_BYTES,
): LogOutput {
  const output = new KeepingOutput({ ...stream, render: logRendererOf(format, stream) }, maxKeptBytes);
  process.once("exit", () => output.flush());
  return output;
}

class KeepingOutput implements LogOutput {
  readonly #write: WriteBytes;
  readonly #render: LogRenderer;
  readonly #maxKeptBytes: number;
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(
    { write, render }: { readonly write: WriteBytes; readonly render: LogRenderer },
    maxKeptBytes: number,
  ) {
    this.#write = write;
    this.#render = render;
    this.#maxKeptBytes = maxKeptBytes;
  }

  write(line: string): void {
    const bytes = Buffer.from(this.#render(line));
    if (this.#keptBytes + bytes.byteLength > this.#maxKeptBytes) this.#dropped += 1;
    else this.#keep(bytes);
    // While a retry is pending, new lines only join the queue.
    if (this.#timer === null) this.flush();
  }

  /** Writes what can be written now. */
  flush(): void {
    this.#timer = null;
    try {
      for (let next = this.#next(); next !== undefined; next = this.#next()) this.#advance(this.#write(next));
    } catch {
      // The fault cannot be logged, because the log itself failed. The lines are kept and tried again.
      this.#timer = setTimeout(() => this.flush(), RETRY_INTERVAL_MS).unref();
    }
  }

  /** The bytes to write next; undefined when all lines are written. */
  #next(): Uint8Array | undefined {
    if (this.#kept.length === 0 && this.#dropped > 0) {
      const fields = {
        level: 40,
        time: Date.now(),
        lines: this.#dropped,
        msg: "log lines could not be written",
      };
      this.#dropped = 0;
      this.#keep(Buffer.from(this.#render(`${JSON.stringify(fields)}\n`)));
    }
    return this.#kept[0];
  }

  #keep(bytes: Uint8Array): void {
    this.#kept.push(bytes);
    this.#keptBytes += bytes.byteLength;
  }

  #advance(written: number): void {
    const first = this.#kept[0] ?? new Uint8Array();
    this.#keptBytes -= written;
    if (written < first.byteLength) this.#kept[0] = first.subarray(written);
    else this.#kept.shift();
  }
}
