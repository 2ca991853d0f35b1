/** One environment variable: how it is read and what it means. */
export interface EnvironmentVariable<Value> {
  /** Reads the text. @throws an Error whose message says what was expected. */
  readonly parse: (text: string) => Value;
  /** Value when the variable is unset or empty. */
  readonly fallback: Value;
  /** The default as documents show it. */
  readonly defaultText: string;
  readonly meaning: string;
  /** Secrets also have a `<NAME>_FILE` form, and their value is never repeated in messages. */
  readonly secret?: boolean;
}

export type EnvironmentTable = Readonly<Record<string, EnvironmentVariable<unknown>>>;

/** The values of a table, by variable name. */
export type EnvironmentValues<Table extends EnvironmentTable> = {
  readonly [Name in keyof Table]: Table[Name] extends EnvironmentVariable<infer Value> ? Value : never;
};
