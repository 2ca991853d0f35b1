import { z } from "zod";
import { CALL_COUNTS } from "./call-counts.ts";

/** Who called a target in the last quarter of an hour, by the audit log and by what gateways remember. */
const RECENT_CALLERS = {
  agents: z.array(z.string()).readonly().describe("Those that called in the last 15 minutes."),
  sessions: z.array(z.string()).readonly().describe("Those that called in the last 15 minutes."),
  complete: z
    .boolean()
    .describe(
      "True: nobody else called, so an empty list means nobody. False: there may be more, because the " +
        "audit index did not answer in time, or there are too many to name.",
    ),
};

export const recentCallersSchema = z
  .strictObject(RECENT_CALLERS)
  .meta({ id: "RecentCallers", description: "Who called a target lately." });

export const countedCallersSchema = z
  .strictObject({ ...RECENT_CALLERS, ...CALL_COUNTS })
  .meta({ id: "CountedCallers", description: "Who called a target lately, and how often." });
