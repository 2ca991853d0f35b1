import { z } from "zod";
import { MAX_NAME_BYTES } from "../limits.ts";
import { globFault } from "../policies/glob-pattern.ts";

/** Most globs of sensitive tools, as count: each is compared with each tool of the namespace. */
const MAX_SENSITIVE_TOOLS = 100;

const LIST_EXPECTATION = `expected a list of at most ${String(MAX_SENSITIVE_TOOLS)} globs of tools`;
const GLOB_EXPECTATION = "expected a glob of tools, such as payments.*";

/** What makes an agent be watched more closely. */
export const riskSettingsSchema = z
  .strictObject(
    {
      sensitive_tools: z
        .array(
          z
            .string({ error: GLOB_EXPECTATION })
            .refine((glob) => globFault(glob) === null, { error: GLOB_EXPECTATION })
            .meta({ jsonSchema: { type: "string", minLength: 1, maxLength: MAX_NAME_BYTES } }),
          {
            error: LIST_EXPECTATION,
          },
        )
        .max(MAX_SENSITIVE_TOOLS, { error: LIST_EXPECTATION })
        .default([])
        .describe(
          "Globs. An agent with an allowed call of such a tool in the last hour, of which no outcome came, " +
            "has halved thresholds.",
        ),
    },
    { error: "expected an object" },
  )
  .meta({ id: "RiskSettings" });
