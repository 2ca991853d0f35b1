import type { ReasonedOptions } from "../connection/change-options.ts";

export interface RollbackOptions extends ReasonedOptions {
  /** The version whose content comes back. */
  readonly to?: number;
  readonly lastGood: boolean;
  /** In seconds. */
  readonly wait: number;
}
