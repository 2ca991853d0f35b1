import type { JsonValue } from "@svc/text/json-value";
import { z } from "zod";
import { DEFAULT_ORG } from "../execute/execute-request.ts";
import { IDENTIFIER_EXPECTATION } from "../fields/identifier.ts";
import { identifierSchemaFor } from "../fields/identifier-schema.ts";
import { nearestField, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { timestampSchema } from "../fields/timestamp.ts";
import { roleSchema } from "./role-schema.ts";
import { MAX_SUBJECT_TOKEN_LENGTH } from "./trust-limits.ts";

export const TOKEN_EXCHANGE_GRANT = "urn:ietf:params:oauth:grant-type:token-exchange";

/** The types of RFC 8693 that a JSON Web Token of an identity provider can have. */
const TOKEN_TYPES = [
  "urn:ietf:params:oauth:token-type:jwt",
  "urn:ietf:params:oauth:token-type:id_token",
] as const;

const ACCESS_TOKEN_TYPE = "urn:ietf:params:oauth:token-type:access_token";

const GRANT_EXPECTATION = `expected ${TOKEN_EXCHANGE_GRANT}`;
const TYPE_EXPECTATION = `expected one of ${TOKEN_TYPES.join(", ")}`;
const TOKEN_EXPECTATION =
  `expected a signed JSON Web Token (three parts with dots between) of at most ` +
  `${String(MAX_SUBJECT_TOKEN_LENGTH)} characters`;

const FIELDS = z.strictObject({
  grant_type: z.literal(TOKEN_EXCHANGE_GRANT, { error: GRANT_EXPECTATION }).describe("As RFC 8693 has it."),
  subject_token: z
    .string({ error: TOKEN_EXPECTATION })
    .max(MAX_SUBJECT_TOKEN_LENGTH, { error: TOKEN_EXPECTATION })
    .regex(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/, { error: TOKEN_EXPECTATION })
    .describe("The token that the identity provider gave to the program."),
  subject_token_type: z
    .enum(TOKEN_TYPES, { error: TYPE_EXPECTATION })
    .meta({ id: "SubjectTokenType" })
    .default("urn:ietf:params:oauth:token-type:jwt")
    .describe("What the token is."),
  trust_rule_id: identifierSchemaFor(`the id of a trust rule: ${IDENTIFIER_EXPECTATION}`)
    .nullable()
    .default(null)
    .describe("The trust rule to use. Null: the one that admits the token."),
  org_id: identifierSchemaFor(`the id of an organization: ${IDENTIFIER_EXPECTATION}`)
    .default(DEFAULT_ORG)
    .describe("The organization whose trust rules are asked."),
});

/** Body of `POST token`. */
export const tokenExchangeSchema = FIELDS.meta({
  id: "TokenRequest",
  description: "The token of a program, in the form of RFC 8693.",
});
export type TokenExchange = Readonly<z.output<typeof tokenExchangeSchema>>;

/** The answer, with the names of RFC 8693 and what the key may do. */
export const exchangedTokenSchema = z
  .strictObject({
    access_token: z.string().describe("The API key. It is shown this once."),
    issued_token_type: z.literal(ACCESS_TOKEN_TYPE),
    token_type: z.literal("Bearer"),
    expires_in: z.int().describe("Seconds until the key ends."),
    expires_at: timestampSchema,
    key_id: z.string(),
    org_id: z.string(),
    role: roleSchema,
    scope: z.string().describe("The scopes of the key, with a space between two."),
    trust_rule_id: z.string().describe("The trust rule that admitted the token."),
  })
  .meta({ id: "ExchangedToken", description: "A key of minutes, given for the token of a program." });
export type ExchangedToken = Readonly<z.infer<typeof exchangedTokenSchema>>;

/** The parts of the answer that are always the same. */
export const EXCHANGED_TOKEN_KIND = {
  issued_token_type: ACCESS_TOKEN_TYPE,
  token_type: "Bearer",
} as const;

export function parseTokenExchange(value: JsonValue): Parsed<TokenExchange> {
  return parseWith(tokenExchangeSchema, value, nearestField(Object.keys(FIELDS.shape)));
}
