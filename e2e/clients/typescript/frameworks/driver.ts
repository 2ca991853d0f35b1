import type { SvcClient } from "@svc/client";
import type { ModelCall } from "./cases.ts";

/** What a case gives to the framework. The model makes its calls at once, reads the results, and ends. */
export interface Stage {
  readonly client: SvcClient;
  readonly calls: readonly ModelCall[];
  /** The body of the tool. Its arguments are what the tool really got. */
  readonly pay: (args: unknown) => string;
}

/** What came of it. */
export interface Seen {
  /** The results of its calls as the model read them, in the order of its calls. */
  readonly read: readonly string[];
  /** The framework stopped the run, to wait for a person. */
  readonly paused: boolean;
  /** Continues a run that stopped, with what a person would hand over who approves. */
  readonly resume?: () => Promise<Seen>;
}

/** Runs one framework. A trap is a way in which it is known to run tools that its hook meant to stop. */
export interface Driver {
  readonly run: (stage: Stage) => Promise<Seen>;
  readonly traps: Readonly<Record<string, (stage: Stage) => Promise<unknown>>>;
}
