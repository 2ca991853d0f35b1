import type { GovernanceMode } from "@svc/contract/verdict";
import type { ReasonedOptions } from "../connection/change-options.ts";

export interface DeployOptions extends ReasonedOptions {
  /** In place of the mode that the policies name. */
  readonly mode?: GovernanceMode;
  /** Of the decisions that are decided again, in percent. */
  readonly maxChanged?: number;
  /** How many recorded decisions are decided again. */
  readonly replay: number;
  /** In seconds. */
  readonly wait: number;
}
