import { type Requirement, tested } from "./requirement.ts";

/** One agent must not stall the others, nor its own kill switch. */
export const fairnessRequirements: readonly Requirement[] = [
  tested("FAIR-04", "Bytes in flight are bounded, for all callers together and for each of them."),
  tested("FAIR-05", "Large calls take turns: agents in rotation, the calls of one agent in their order."),
  tested(
    "FAIR-06",
    "A call that is refused for want of room gets 503 or 429 with Retry-After and the cause.",
  ),
  tested("FAIR-07", "One ledger transaction holds at most 1 MiB of rows, or one row."),
  tested("FAIR-10", "A large call gets the verdict and the row that it would get if it were small."),
  tested("FAIR-11", "When the thread of large calls fails, its calls are denied and another thread starts."),
];
