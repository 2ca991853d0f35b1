import type { ReasonCode } from "@svc/contract/verdict";
import type { FaultyGateway } from "./faulty-gateway.ts";

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
