import type { DenyVerdict } from "@svc/contract/verdict";

/** A deny that no gateway gave. */
export interface HintedDeny extends DenyVerdict {
  /**
   * What the person who operates the program can do, such as which setting to change. It names addresses and
   * settings, so it is not part of the reason: that one is handed to models.
   */
  readonly hint?: string;
}
