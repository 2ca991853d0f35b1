import { z } from "zod";
import { ENDED_SWITCHES } from "./ended-switches.ts";
import { killSwitchSchema } from "./kill-switch.ts";

/** The members of a switch that an adapter needs. It gets no reasons and no names of people. */
const followedSwitch = killSwitchSchema
  .pick({ kill_switch_id: true, scope: true, target_id: true, account_wide: true, status: true })
  .meta({ id: "FollowedKillSwitch", description: "A switch as adapters follow it." });

/** The answer to an adapter that follows kill switches. */
export const killSwitchChangesSchema = z
  .strictObject({
    epoch: z.string().describe("Changes when revisions start anew. Then read everything again."),
    revision: z.int().describe("Send it as `after` to get what changes next."),
    complete: z
      .boolean()
      .describe("Whether these are all active switches, or only the changes since `after`."),
    kill_switches: z.array(followedSwitch).readonly(),
    ended: z
      .array(followedSwitch)
      .readonly()
      .optional()
      .describe(
        "Present when `complete`. The switches that have ended, those that were activated last first, at " +
          `most ${String(ENDED_SWITCHES)}. They show what began and ended since an earlier answer.`,
      ),
  })
  .meta({ id: "KillSwitchChanges", description: "Changes of kill switches by revision." });
