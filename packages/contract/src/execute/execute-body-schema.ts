import { parseUsd, USD_EXPECTATION } from "@svc/text/usd";
import { z } from "zod";
import { nameSchema } from "../fields/name-schema.ts";

/** An amount of USD as requests write it. */
export const usdSchema = z
  .union([z.string(), z.number()], { error: `expected ${USD_EXPECTATION}` })
  .refine((amount) => parseUsd(amount) !== null, { error: `expected ${USD_EXPECTATION}` })
  // The document shows one form: from a text or a number, generators make a class for each place.
  .meta({
    description: `USD: ${USD_EXPECTATION}. Text is exact.`,
    jsonSchema: { type: "string", examples: ["0.25"] },
  });

/**
 * The published form of the body of `gateway/execute`. The server reads the body with a parser of its own,
 * because a tool call waits for it; a test holds both to the same bodies.
 */
export const executeBodySchema = z
  .strictObject({
    agent_id: nameSchema.describe("Who makes the call."),
    tool: nameSchema.describe("What is called."),
    args: z.record(z.string(), z.unknown()).optional().describe("The arguments. `{}` when absent."),
    session_id: nameSchema
      .optional()
      .describe("The conversation. A policy with limits per session denies a call without one."),
    namespace: nameSchema.optional().describe("`default` when absent."),
    cost_usd: usdSchema
      .optional()
      .describe("What this call costs. Without it the prices of the policy count."),
  })
  .meta({ id: "ExecuteRequest", description: "One tool call that somebody wants to make." });
