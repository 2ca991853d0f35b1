import { z } from "zod";

/** Forms of members that several kinds of events have. */
export const memberForms = {
  text: z.string(),
  maybe: z.string().nullable(),
  object: z.record(z.string(), z.unknown()),
  ends: z.string().nullable().describe("Null: it has no end."),
};
