import { z } from "zod";

/** The answer to the end of all logins of a person. */
export const endedLoginsSchema = z
  .strictObject({
    person: z.string(),
    key_ids: z
      .array(z.string())
      .readonly()
      .describe("Ids of the keys that ended now. Empty: all logins of the person had ended before."),
    enforced: z
      .boolean()
      .describe("True only when every known gateway has acknowledged that it refuses each of them."),
  })
  .meta({ id: "EndedLogins", description: "The logins of a person that were ended." });
export type EndedLogins = Readonly<z.infer<typeof endedLoginsSchema>>;
