import type { Cleanup } from "./cleanup.ts";
import type { Findings } from "./figure.ts";
import type { LoadGenerator } from "./load/load-generator.ts";

/** What every scenario is given. */
export interface Bench {
  /** How often baseline and subject take turns, as count. */
  readonly rounds: number;
  /** Length of one turn under load in seconds. */
  readonly seconds: number;
  /** Rows of the logs that questions are asked of, as count. */
  readonly rows: number;
  readonly generator: LoadGenerator;
  /** Folder for databases: its disk is what durability costs. */
  readonly dataFolder: string;
  /** Where server processes leave CPU profiles; null: they take none. */
  readonly profileFolder: string | null;
  /** Undone when the scenario ends, however it ends. */
  readonly cleanup: Cleanup;
  /** Tells people how far it has come. */
  readonly say: (line: string) => void;
}

/** One question and how it is measured. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  run(bench: Bench): Promise<Findings>;
}
