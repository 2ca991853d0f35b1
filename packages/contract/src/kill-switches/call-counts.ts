import { z } from "zod";

/** How many calls a containment would stop, by the audit log. */
export const CALL_COUNTS = {
  calls_per_hour: z
    .int()
    .nullable()
    .optional()
    .describe("Calls that were allowed in the last hour, by all gateways. Null: they could not be counted."),
  calls_in_flight: z
    .int()
    .nullable()
    .optional()
    .describe("Of these, those whose outcome nobody has reported yet. Null: they could not be counted."),
};
