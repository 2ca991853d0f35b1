/** What an operator read in a value, for people. */
export interface ValueReading {
  /** Commands or statements as they were read, or names of members. They hold values of the arguments. */
  readonly read: readonly string[];
  /** What could not be read surely, as in "a redirection". Holds no value of the arguments. */
  readonly doubt: string | null;
}
