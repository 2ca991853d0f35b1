/** The exit codes of svc-cli, one table for all commands. Only 0 is a success. */
export const EXIT_CODES = {
  ok: 0,
  /** The checked object is wrong: a broken log, a refused policy, a failed test. */
  failed: 1,
  /** The command line, the environment or a file named there is wrong. */
  usage: 2,
  /** The answer could not be read, or not completely. Nothing is known about the object to check. */
  unreachable: 3,
  /** The server refuses this key. */
  refused: 4,
  /** Nothing wrong was found, but not everything was proved: rows lack a signature, checks a measurement. */
  unproven: 5,
  /** A defect of svc-cli itself. */
  defect: 70,
  /** A signal ended the command. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** Ends a command with an exit code and a message that says what was expected, what came and what to do. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitCode: ExitCode;

  constructor(exit: keyof typeof EXIT_CODES, message: string, cause?: unknown) {
    super(message, { cause });
    this.exitCode = EXIT_CODES[exit];
  }
}
