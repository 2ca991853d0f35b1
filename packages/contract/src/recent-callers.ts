import { z } from "zod";

/** Who called a target in the last quarter of an hour, by the audit log and by what gateways remember. */
export const RECENT_CALLERS = {
  agents: z.array(z.string()).readonly().describe("Those that called in the last 15 minutes."),
  sessions: z.array(z.string()).readonly().describe("Those that called in the last 15 minutes."),
  complete: z
    .boolean()
    .describe(
      "True: nobody else called, so an empty list means nobody. False: there may be more, because the " +
        "audit index did not answer in time, or there are too many to name.",
    ),
};
