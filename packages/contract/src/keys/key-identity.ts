import { z } from "zod";

/** Whom the token of an identity provider named when the key was given. */
export const keyIdentitySchema = z
  .strictObject({
    issuer: z.string().describe("The identity provider."),
    subject: z.string().describe("Whom it named."),
    trust_rule_id: z.string().nullable().describe("The trust rule that admitted the token."),
    environment: z.string().nullable().describe("The deployment environment that the token named."),
  })
  .meta({ id: "KeyIdentity", description: "Whom the token of an identity provider named." });

export type KeyIdentity = Readonly<z.infer<typeof keyIdentitySchema>>;
