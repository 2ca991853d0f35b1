import { z } from "zod";
import { PROBLEMS, type ProblemCode } from "./problem.ts";

/** A refusal as RFC 9457 problem details. */
export const problemSchema = z
  .strictObject({
    type: z.string().describe("Where the server explains the code, relative to its address."),
    title: z.string(),
    status: z.int(),
    code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
    detail: z.string().describe("What is wrong and what to do, for people."),
    request_id: z.string().optional().describe("The id that log lines about this request have."),
    errors: z
      .array(
        z
          .looseObject({
            pointer: z
              .string()
              .describe("Where: an RFC 6901 pointer into the body, or the name of a parameter."),
            expected: z.string(),
            found: z.string(),
            fix: z.string().optional().describe("What to send instead."),
          })
          .meta({ id: "ProblemEntry", description: "One fault of the request." }),
      )
      .readonly()
      .optional(),
  })
  .meta({ id: "Problem", description: "Why the request was refused." });
