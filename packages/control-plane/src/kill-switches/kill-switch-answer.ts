import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { Acknowledgements } from "../hear-gateways.ts";

/** A switch after an activation, in its wire form. */
export interface KillSwitchAnswer extends KillSwitchRecord, Acknowledgements {
  /** True only when every known gateway has acknowledged that it enforces the switch. */
  readonly enforced: boolean;
}
