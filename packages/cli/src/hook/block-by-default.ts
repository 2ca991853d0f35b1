import { fstatSync, statSync, writeSync } from "node:fs";

/**
 * Exit codes of a hook as Claude Code reads them: 2 blocks the call, and 0 does not. Any other code lets the
 * call run, so no other may ever be used.
 */
const PASS = 0;
const BLOCK = 2;

const STDOUT = 1;
const STDERR = 2;

/** Signals that ask a process to end. Their default would end it with a code that lets the call run. */
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const;

/** Milliseconds between two tries to write to a pipe that is full. */
const FULL_PIPE_PAUSE_MS = 5;

/** How the process of a hook ends. The first call counts, and none returns. */
export interface Ending {
  /** The call may run. `answer` is written whole before the process ends, or the call is blocked. */
  pass(answer: string): never;
  /**
   * The call must not run.
   * @param reason for the model
   * @param answer the same for a client that reads JSON
   */
  block(reason: string, answer?: string): never;
  /** Blocks because of something unexpected. */
  readonly fail: (error: unknown) => never;
}

/**
 * From now on this process ends with 2, whatever happens to it short of SIGKILL: only `pass` ends it with 0.
 * @param consequence a sentence that says what a failure of the hook means for the call
 */
export function blockByDefault(consequence: string): Ending {
  let exitCode: number = BLOCK;
  // Also for an exit that somebody else asks for, and for a process that has nothing more to do.
  process.on("exit", () => {
    process.exitCode = exitCode;
  });
  const block = (reason: string, answer = ""): never => {
    exitCode = BLOCK;
    tryWrite(STDOUT, answer);
    tryWrite(STDERR, `${reason}\n`);
    process.exit(BLOCK);
  };
  const fail = (error: unknown): never => block(`The hook failed: ${firstLine(error)} ${consequence}`);
  const pass = (answer: string): never => {
    try {
      writeAnswer(answer);
    } catch (error) {
      return block(`The hook could not write its answer: ${firstLine(error)} ${consequence}`);
    }
    exitCode = PASS;
    process.exit(PASS);
  };
  process.on("uncaughtException", fail);
  for (const signal of SIGNALS)
    process.on(signal, () => block(`The hook was ended by ${signal}. ${consequence}`));
  return { pass, block, fail };
}

/** @throws when the answer would not arrive whole */
function writeAnswer(answer: string): void {
  if (answer === "") return;
  // Node opens /dev/null in place of a closed stdout. An answer that is lost there would let the call run
  // with other arguments than those that were allowed.
  const [out, nowhere] = [fstatSync(STDOUT), statSync("/dev/null")];
  if (out.isCharacterDevice() && out.rdev === nowhere.rdev) throw new Error("stdout is closed");
  writeWhole(STDOUT, answer);
}

function tryWrite(file: number, text: string): void {
  try {
    writeWhole(file, text);
  } catch {
    // The exit code blocks the call. Nobody reads the text.
  }
}

function writeWhole(file: number, text: string): void {
  const bytes = Buffer.from(text);
  let at = 0;
  while (at < bytes.length) {
    try {
      at += writeSync(file, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_PAUSE_MS);
    }
  }
}

/** The first line of what happened, as a sentence. */
function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const line = text.split("\n", 1)[0] ?? "";
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
