import type { JsonValue } from "@svc/text/json-value";
import { z } from "zod";
import { pageSchema } from "../fields/page.ts";
import { nearestField, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { timestampSchema } from "../fields/timestamp.ts";
import { MAX_KEY_NAME_LENGTH } from "../limits.ts";
import { keyBindingsSchema, refuseUnusedBindings } from "./key-bindings.ts";
import { roleSchema } from "./role-schema.ts";
import {
  DEFAULT_EXCHANGED_KEY_SECONDS,
  MAX_EXCHANGED_KEY_SECONDS,
  MAX_TRUST_CONDITIONS,
  MAX_TRUST_TEXT_LENGTH,
  MIN_EXCHANGED_KEY_SECONDS,
} from "./trust-limits.ts";

const TEXT_LENGTH = `1 to ${String(MAX_TRUST_TEXT_LENGTH)} characters`;
const CONDITIONS = `1 to ${String(MAX_TRUST_CONDITIONS)}`;
const NAME_EXPECTATION = `expected a name for people in 1 to ${String(MAX_KEY_NAME_LENGTH)} characters`;
const URL_EXPECTATION = "expected an address that begins with https:// or http://, without ? and #";
const SECONDS_EXPECTATION =
  `expected whole seconds from ${String(MIN_EXCHANGED_KEY_SECONDS)} ` +
  `to ${String(MAX_EXCHANGED_KEY_SECONDS)}`;
const CLAIMS_EXPECTATION = `expected ${CONDITIONS} names of claims with a pattern each, or null`;
const ENVIRONMENTS_EXPECTATION = `expected ${CONDITIONS} names of environments in an array, or null`;

/** Claims that every token has, with the field of a rule that judges them: they narrow nothing. */
export const REGISTERED_CLAIMS = {
  iss: "issuer",
  aud: "audience",
  sub: "subject",
  exp: null,
  iat: null,
  nbf: null,
  jti: null,
  azp: null,
  scope: null,
} as const;

const REGISTERED_EXPECTATION =
  "expected a claim that says who asks; the fields issuer, audience and subject judge iss, aud and sub, " +
  "the server itself judges exp, iat and nbf, and jti, azp and scope say nothing of who asks";

/** Text without control characters and without white space at its ends. */
const textSchema = (what: string) => {
  const error = `expected ${what} in ${TEXT_LENGTH}, without control characters`;
  return z
    .string({ error })
    .max(MAX_TRUST_TEXT_LENGTH, { error })
    .regex(/^(?!\s)\P{Cc}+(?<!\s)$/u, { error });
};

const addressSchema = z
  .string({ error: URL_EXPECTATION })
  .max(MAX_TRUST_TEXT_LENGTH, { error: URL_EXPECTATION })
  .regex(/^https?:\/\/[^\s?#@]+$/, { error: URL_EXPECTATION })
  .refine((text) => URL.canParse(text), { error: URL_EXPECTATION });

const SETTINGS = {
  name: z
    .string({ error: NAME_EXPECTATION })
    .max(MAX_KEY_NAME_LENGTH, { error: NAME_EXPECTATION })
    .regex(/^(?=.*\S)\P{Cc}*$/u, { error: NAME_EXPECTATION })
    .describe("What people call it."),
  issuer: addressSchema.describe("The claim `iss` of the tokens, exactly as they have it."),
  jwks_uri: addressSchema
    .nullable()
    .default(null)
    .describe("Where the keys of the issuer are. Null: where the document of its discovery says."),
  audience: textSchema("the audience").describe("A value of the claim `aud` that names this server."),
  subject: textSchema("a pattern of the claim sub").describe(
    "A pattern of the claim `sub`. `*` stands for any characters.",
  ),
  claims: z
    .record(textSchema("the name of a claim"), textSchema("a pattern of the claim"), {
      error: CLAIMS_EXPECTATION,
    })
    .refine(
      (claims) => {
        const count = Object.keys(claims).length;
        return count > 0 && count <= MAX_TRUST_CONDITIONS;
      },
      { error: CLAIMS_EXPECTATION },
    )
    .superRefine((claims, context) => {
      for (const name of Object.keys(claims))
        if (Object.hasOwn(REGISTERED_CLAIMS, name))
          context.addIssue({ code: "custom", message: REGISTERED_EXPECTATION, path: [name] });
    })
    .nullable()
    .default(null)
    .describe(
      "Patterns of further claims by name. The token must have each of them. " +
        "Registered ones, such as `iss`, are refused.",
    ),
  role: roleSchema.describe("What the keys may do."),
  agents: keyBindingsSchema("agent").describe(
    "The only agents that the keys may act for. Null: every agent.",
  ),
  namespaces: keyBindingsSchema("namespace").describe("The only namespaces of the keys. Null: every one."),
  environments: z
    .array(textSchema("the name of an environment"), { error: ENVIRONMENTS_EXPECTATION })
    .min(1, { error: ENVIRONMENTS_EXPECTATION })
    .max(MAX_TRUST_CONDITIONS, { error: ENVIRONMENTS_EXPECTATION })
    .transform((names): readonly string[] => [...new Set(names)])
    .nullable()
    .default(null)
    .describe("The claim `environment` must be one of these. Null: the token need not have one."),
  lifetime_seconds: z
    .int({ error: SECONDS_EXPECTATION })
    .min(MIN_EXCHANGED_KEY_SECONDS, { error: SECONDS_EXPECTATION })
    .max(MAX_EXCHANGED_KEY_SECONDS, { error: SECONDS_EXPECTATION })
    .default(DEFAULT_EXCHANGED_KEY_SECONDS)
    .describe("Seconds that a key lives."),
};

const creationFields = z.strictObject(SETTINGS);

/** Body of `POST trust-rules`. */
export const trustRuleCreationSchema = creationFields
  .superRefine(refuseUnusedBindings)
  .meta({ id: "TrustRuleRequest", description: "Which tokens get which keys." });
export type TrustRuleCreation = Readonly<z.output<typeof trustRuleCreationSchema>>;

/** A trust rule in its wire form. */
export const trustRuleSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    issuer: z.string(),
    jwks_uri: z.string().nullable(),
    audience: z.string(),
    subject: z.string(),
    claims: z.record(z.string(), z.string()).nullable(),
    role: roleSchema,
    agents: z.array(z.string()).readonly().nullable(),
    namespaces: z.array(z.string()).readonly().nullable(),
    environments: z.array(z.string()).readonly().nullable(),
    lifetime_seconds: z.int(),
    created_at: timestampSchema,
    created_by: z.string().describe("Who made it."),
    removed_at: timestampSchema.nullable().describe("Null while it admits tokens."),
    removed_by: z.string().nullable(),
    warnings: z
      .array(z.string())
      .readonly()
      .describe("Tokens that the rule also admits, and that were probably not meant."),
  })
  .meta({ id: "TrustRule", description: "Which tokens of an issuer get which keys." });
export type TrustRuleAnswer = Readonly<z.infer<typeof trustRuleSchema>>;
/** As it is kept. The warnings are made when it is shown. */
export type TrustRuleRecord = Omit<TrustRuleAnswer, "warnings">;

export const trustRulePageSchema = pageSchema("trust_rules", trustRuleSchema).meta({
  id: "TrustRulePage",
  description: "A page of trust rules, newest first.",
});

export function parseTrustRuleCreation(value: JsonValue): Parsed<TrustRuleCreation> {
  return parseWith(trustRuleCreationSchema, value, nearestField(Object.keys(creationFields.shape)));
}
