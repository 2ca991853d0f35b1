import type { EnvironmentTable } from "./environment-table.ts";

/** What a program says about itself on its command line. */
export interface Program {
  readonly name: string;
  /** One sentence without a full stop: what the program does. */
  readonly summary: string;
  /** Commands to copy, the most useful one first. */
  readonly examples: readonly string[];
  /** Arguments beside --help and --version, each with its meaning. */
  readonly options?: Readonly<Record<string, string>>;
  /** Every variable that the program reads. */
  readonly table: EnvironmentTable;
  /** How a user asks for the help; by default the name and --help. */
  readonly helpCommand?: string;
}
