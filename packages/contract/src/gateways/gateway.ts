import { z } from "zod";
import { pageSchema } from "../fields/page.ts";
import { timestampSchema } from "../fields/timestamp.ts";

/** A process that decides calls or serves the control API, in its wire form. */
export const gatewaySchema = z
  .strictObject({
    id: z.string().describe("Its gateway id, which is also the name of its audit log."),
    host: z.string().describe("The machine that it runs on."),
    version: z.string(),
    role: z.enum(["all", "gateway", "control"]).describe("A control process decides no calls."),
    started_at: timestampSchema,
    applied_revision: z.int().describe("The revision of control state that it enforces."),
    lag: z.int().describe("How many revisions it is behind."),
    lease_ends_at: timestampSchema
      .nullable()
      .describe("When it begins to deny every call, unless it reads control state before. Null: it denies."),
    last_seen_at: timestampSchema.describe("Its last sign of life, by the clock of the database."),
    decisions_per_second: z.number().describe("Calls that it decided, over the last seconds."),
  })
  .meta({ id: "Gateway", description: "A process of the deployment, and how far it follows control state." });

export type GatewayRecord = Readonly<z.infer<typeof gatewaySchema>>;

export const gatewayPageSchema = pageSchema("gateways", gatewaySchema).meta({
  id: "GatewayPage",
  description: "Every process of the deployment, by id.",
});
