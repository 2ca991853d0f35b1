/** The exit codes of svc-cli, one table for all commands. Only 0 is a success. */
export const EXIT_CODES = {
  ok: 0,
  /** The checked object is wrong: a broken log, a refused policy, a failed test. Or a person said no. */
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

export type Outcome = keyof typeof EXIT_CODES;

/** Ends a command with the code of its outcome. */
export type Exit = (outcome: Outcome) => void;

/** What each code says, for `help exit-codes`. */
export const EXIT_MEANINGS: Readonly<Record<Outcome, string>> = {
  ok: "done, valid, passed, no difference",
  failed:
    "a negative result: a refused policy, a failed test, a denied call, a broken log, a difference, a no",
  usage: "the command line, a setting or a file that is named there is wrong",
  unreachable: "the server did not answer, or the object could not be read as a whole: nothing is known",
  refused: "the server refuses the key, or the key may not do this",
  unproven: "nothing wrong was found, but not everything could be proved",
  defect: "a defect of svc-cli itself",
  interrupted: "a signal ended the command",
};

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** Ends a command with an exit code and a message that says what was expected, what came and what to do. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly outcome: Outcome;
  readonly exitCode: ExitCode;

  constructor(outcome: Outcome, message: string, cause?: unknown) {
    super(message, { cause });
    this.outcome = outcome;
    this.exitCode = EXIT_CODES[outcome];
  }
}
