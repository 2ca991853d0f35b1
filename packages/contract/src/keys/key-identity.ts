import { z } from "zod";
import { roleSchema } from "./role-schema.ts";

const personSchema = z
  .strictObject({
    name: z.string().nullable().describe("What people call the person."),
    groups: z.array(z.string()).readonly().describe("The groups that the identity provider named."),
    roles: z.array(roleSchema).readonly().describe("Every role of the person."),
  })
  .meta({ id: "Person", description: "A person who has signed in." });

/** Whom the token of an identity provider named when the key was given. */
export const keyIdentitySchema = z
  .strictObject({
    issuer: z.string().describe("The identity provider."),
    subject: z.string().describe("Whom it named."),
    trust_rule_id: z.string().nullable().describe("The trust rule that admitted the token. Null: a login."),
    environment: z.string().nullable().describe("The deployment environment that the token named."),
    person: personSchema.nullable().describe("Null: a program."),
  })
  .meta({ id: "KeyIdentity", description: "Whom the token of an identity provider named." });

export type KeyIdentity = Readonly<z.infer<typeof keyIdentitySchema>>;
