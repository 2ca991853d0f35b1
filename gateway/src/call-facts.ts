import type { KillTarget } from "./kill-switch-index.ts";

/** Who calls what, with every default filled in: all of a call but its arguments. */
export interface CallFacts extends KillTarget {
  readonly principal: string;
  /** Micro-USD as the request named it; null when it named none. */
  readonly costMicroUsd: number | null;
}
