import { type Problem, problem } from "@svc/contract/problem";
import type { SlotRefusal } from "@svc/process/shared-slots";
import { MAX_READERS, MAX_READERS_PER_KEY } from "./limits.ts";

/** Seconds after which a refused reader may try again. */
export const RETRY_AFTER_S = "5";

/** @param heldByOrg streams that the organization has open */
export function refuseReader(refusal: SlotRefusal, heldByOrg: number): Problem {
  switch (refusal) {
    case "process":
      return problem("overloaded", `${String(MAX_READERS)} event streams are already open on this server`);
    case "organization":
      return problem(
        "too_many_requests",
        `${String(heldByOrg)} event streams of this organization are already open on this server, which is ` +
          "as many as are left for others; end one first",
      );
    case "key":
      return problem(
        "too_many_requests",
        `${String(MAX_READERS_PER_KEY)} event streams with this key are already open; end one first`,
      );
  }
}
