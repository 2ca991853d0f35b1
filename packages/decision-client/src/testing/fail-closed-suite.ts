import type { FailClosedFault } from "./fail-closed-fault.ts";
import { refusals } from "./refusals.ts";
import { silences } from "./silences.ts";
import { transportFaults } from "./transport-faults.ts";
import { unreadableAnswers } from "./unreadable-answers.ts";

/** Decision timeout in milliseconds to run the suite with: faults that hang take this long. */
export const FAULT_TIMEOUT_MS = 1_500;

export const failClosedFaults: readonly FailClosedFault[] = [
  ...transportFaults,
  ...silences,
  ...refusals,
  ...unreadableAnswers,
];
