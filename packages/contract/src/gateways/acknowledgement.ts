import { z } from "zod";
import { timestampSchema } from "../fields/timestamp.ts";

/** One gateway's part in the propagation of a change. */
export const gatewayAcknowledgementSchema = z
  .strictObject({
    id: z.string().describe("The gateway."),
    acknowledged_ms: z
      .number()
      .nullable()
      .describe(
        "Milliseconds from the commit to enforcement at this gateway. Null: it has not acknowledged in time.",
      ),
    lease_ends_at: timestampSchema
      .optional()
      .describe(
        "Present when the gateway has not acknowledged: from then on it denies every call until it follows.",
      ),
  })
  .meta({ id: "GatewayAcknowledgement", description: "One gateway's part in the propagation of a change." });
export type GatewayAcknowledgement = Readonly<z.infer<typeof gatewayAcknowledgementSchema>>;

/** Members that the answer to every change of control state has. */
export const acknowledgementFields = {
  gateways: z
    .array(gatewayAcknowledgementSchema)
    .readonly()
    .describe("Every known gateway. Empty when the gateways could not be read from the database."),
  lease_ends_at: timestampSchema
    .optional()
    .describe(
      "Present when the gateways could not be read: from then on each one denies " +
        "every call until it follows.",
    ),
  note: z
    .string()
    .optional()
    .describe("Present unless every gateway has acknowledged. It says what that means."),
};

/** The same for a change of policies or keys. */
export const measuredAcknowledgementFields = {
  propagation_ms: z
    .number()
    .nullable()
    .describe(
      "Milliseconds from the operation's start to the slowest acknowledgement. Null while there is none.",
    ),
  ...acknowledgementFields,
};
