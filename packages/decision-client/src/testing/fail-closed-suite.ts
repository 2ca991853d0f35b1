import type { ReasonCode } from "@svc/contract/verdict";
import { type FaultyGateway } from "./faulty-gateway.ts";
import { refusals } from "./refusals.ts";
import { silences } from "./silences.ts";
import { transportFaults } from "./transport-faults.ts";
import { unreadableAnswers } from "./unreadable-answers.ts";

/**
 * One way of not getting a verdict. Every adapter runs all of them: its seam must answer its deny form,
 * flagged, for each, and its allow form for none.
 */
export interface FailClosedFault {
  readonly name: string;
  /** The reason code of the deny that the decision client synthesizes. */
  readonly wanted: ReasonCode;
  readonly start: () => Promise<FaultyGateway>;
}

/** Decision timeout in milliseconds to run the suite with: faults that hang take this long. */
export const FAULT_TIMEOUT_MS = 600;

export const failClosedFaults: readonly FailClosedFault[] = [
  ...transportFaults,
  ...silences,
  ...refusals,
  ...unreadableAnswers,
];
