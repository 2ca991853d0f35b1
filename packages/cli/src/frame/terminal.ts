/** The process as commands see it. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute path that relative paths on the command line start from. */
  readonly workingDirectory: string;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Whether a person can answer a question on stdin. */
  readonly inputIsTerminal?: boolean;
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Whether stdout is a terminal: results are coloured and in columns only then. */
  readonly outIsTerminal?: boolean;
  /** Whether stderr is a terminal. Progress is shown only then. */
  readonly errorIsTerminal: boolean;
  /**
   * Calls `end` on SIGINT and SIGTERM in place of ending the process, until the returned function is called.
   * Left out where nobody can interrupt.
   */
  readonly onInterrupt?: (end: () => void) => () => void;
  /** Calls `end` when nobody reads stdout any more, until the returned function is called. */
  readonly onOutClosed?: (end: () => void) => () => void;
  /** Columns and lines of the terminal behind stdout. Left out where there is none. */
  readonly outSize?: () => { readonly columns: number; readonly rows: number };
}
