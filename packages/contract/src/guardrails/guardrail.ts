import type { JsonValue } from "@svc/text/json-value";
import { z } from "zod";
import { pageSchema } from "../fields/page.ts";
import { nearestField, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { timestampSchema } from "../fields/timestamp.ts";
import { acknowledgementFields, measuredAcknowledgementFields } from "../gateways/acknowledgement.ts";
import { warningsField } from "../policies/policy.ts";
import { whyMember } from "../policies/why.ts";
import {
  MAX_ALLOWED_TEXTS,
  MAX_GUARDRAIL_DESCRIPTION,
  MAX_GUARDRAIL_DETECTORS,
  MAX_GUARDRAIL_PATTERN_LENGTH,
  MAX_GUARDRAIL_PATTERNS,
  MAX_GUARDRAIL_TEST_TEXT,
  MAX_GUARDRAIL_TEXT,
  MAX_PATTERN_SAMPLES,
} from "./guardrail-limits.ts";

/** An id, as policies name it after `guardrail.`. */
export const GUARDRAIL_ID = /^[a-z][a-z0-9_-]{0,63}$/;

export const GUARDRAIL_ID_EXPECTATION =
  "1 to 64 characters: a lower-case letter first, then lower-case letters, digits, _ or -";

const ID_ERROR = `expected ${GUARDRAIL_ID_EXPECTATION}`;
const TEXT_ERROR = `expected a text of 1 to ${String(MAX_GUARDRAIL_TEXT)} characters`;
const TEST_ERROR = `expected a text of at most ${String(MAX_GUARDRAIL_TEST_TEXT)} characters`;
const PATTERN_ERROR = `expected a pattern of 1 to ${String(MAX_GUARDRAIL_PATTERN_LENGTH)} characters`;
const DESCRIPTION_ERROR = `expected at most ${String(MAX_GUARDRAIL_DESCRIPTION)} characters, or null`;

function listError(what: string, most: number): string {
  return `expected a list of at most ${String(most)} ${what}`;
}

const nameSchema = z.string({ error: ID_ERROR }).regex(GUARDRAIL_ID, { error: ID_ERROR });

const textSchema = z
  .string({ error: TEXT_ERROR })
  .min(1, { error: TEXT_ERROR })
  .max(MAX_GUARDRAIL_TEXT, { error: TEXT_ERROR });

function textsSchema(what: string, most: number) {
  const error = listError(what, most);
  return z.array(textSchema, { error }).max(most, { error }).readonly().default([]);
}

const patternSchema = z
  .strictObject(
    {
      name: nameSchema.describe("Names the pattern in what a test finds."),
      matches: z
        .string({ error: PATTERN_ERROR })
        .min(1, { error: PATTERN_ERROR })
        .max(MAX_GUARDRAIL_PATTERN_LENGTH, { error: PATTERN_ERROR })
        .describe("A regular expression in RE2 syntax. It must match at least one character."),
      must_match: textsSchema("texts", MAX_PATTERN_SAMPLES).describe("It must find something in each."),
      must_not_match: textsSchema("texts", MAX_PATTERN_SAMPLES).describe("It must find nothing in any."),
    },
    { error: "expected an object with name and matches" },
  )
  .meta({ id: "GuardrailPattern", description: "A pattern, and texts that show what it finds." });

const detectorsError = listError("names of detectors", MAX_GUARDRAIL_DETECTORS);
const patternsError = listError("patterns", MAX_GUARDRAIL_PATTERNS);

const DEFINITION = {
  description: z
    .string({ error: DESCRIPTION_ERROR })
    .max(MAX_GUARDRAIL_DESCRIPTION, { error: DESCRIPTION_ERROR })
    .nullable()
    .default(null)
    .describe("What it is for."),
  detectors: z
    .array(z.string({ error: detectorsError }), { error: detectorsError })
    .max(MAX_GUARDRAIL_DETECTORS, { error: detectorsError })
    .readonly()
    .default([])
    .describe("Built-in detectors that are part of it."),
  patterns: z
    .array(patternSchema, { error: patternsError })
    .max(MAX_GUARDRAIL_PATTERNS, { error: patternsError })
    .readonly()
    .default([])
    .describe("Patterns of its own."),
  allow: textsSchema("texts", MAX_ALLOWED_TEXTS).describe(
    "Texts that count for nothing when they are all of a finding.",
  ),
};

const REQUEST = { ...DEFINITION, why: whyMember };

/** Body of `POST guardrails`. */
export const guardrailCreationSchema = z
  .strictObject({ id: nameSchema.describe("What policies name: `guardrail.<id>`."), ...REQUEST })
  .meta({ id: "GuardrailRequest", description: "A set of detectors with a name." });

/** Body of `PUT guardrails/{id}`. It replaces the definition. */
export const guardrailUpdateSchema = z
  .strictObject(REQUEST)
  .meta({ id: "GuardrailUpdate", description: "The whole definition. What is left out is empty." });

/** Body of `POST guardrails/{id}/test`. */
export const guardrailTestSchema = z
  .strictObject({
    text: z
      .string({ error: TEST_ERROR })
      .max(MAX_GUARDRAIL_TEST_TEXT, { error: TEST_ERROR })
      .describe("What to look into. It is not stored."),
  })
  .meta({ id: "GuardrailTestRequest", description: "A text to try a guardrail on." });

export type GuardrailDefinition = Readonly<z.output<z.ZodObject<typeof DEFINITION>>>;
export type GuardrailUpdate = Readonly<z.output<typeof guardrailUpdateSchema>>;
export type GuardrailCreation = Readonly<z.output<typeof guardrailCreationSchema>>;

const RECORD = {
  id: z.string(),
  version: z.int().describe("Counts the changes, also over a removal. It is the ETag."),
  ...DEFINITION,
  created_at: timestampSchema,
  created_by: z.string().describe("Id of the key."),
  updated_at: timestampSchema,
  updated_by: z.string().describe("Id of the key."),
};

/** A guardrail in its wire form. */
export const guardrailSchema = z
  .strictObject(RECORD)
  .meta({ id: "Guardrail", description: "A set of detectors that policies name." });
export type GuardrailRecord = Readonly<z.output<typeof guardrailSchema>>;

const changedPolicies = z
  .array(z.strictObject({ id: z.string(), version: z.int() }).meta({ id: "GuardedPolicyVersion" }))
  .readonly()
  .describe("The versions of policies that use it now. A dry run says which there would be.");

/** The answer to a change. */
export const changedGuardrailSchema = z
  .strictObject({
    warnings: warningsField.describe("Findings that do not refuse the definition."),
    ...RECORD,
    dry_run: z.boolean().describe("True: nothing was stored."),
    policies: changedPolicies,
    ...measuredAcknowledgementFields,
    propagation_ms: measuredAcknowledgementFields.propagation_ms.optional(),
    gateways: acknowledgementFields.gateways.optional(),
  })
  .meta({ id: "ChangedGuardrail", description: "A guardrail, and which gateways decide by it." });

export const guardrailPageSchema = pageSchema("guardrails", guardrailSchema).meta({
  id: "GuardrailPage",
  description: "A page of guardrails, by id.",
});

/** What a guardrail found in a text. */
export const guardrailFindingsSchema = z
  .strictObject({
    id: z.string(),
    version: z.int(),
    finds: z
      .boolean()
      .describe("Whether a policy that names the guardrail counts a finding, or cannot search the text."),
    complete: z.boolean().describe("False: the text needs more work than one call may take."),
    findings: z
      .array(
        z
          .strictObject({
            detector: z.string().describe("A built-in detector, or the name of a pattern."),
            start: z.int().describe("UTF-16 units from the beginning of the text."),
            end: z.int().describe("Where it ends; not part of it."),
            allowed: z.boolean().describe("True: `allow` names it, so it counts for nothing."),
          })
          .meta({ id: "GuardrailFinding" }),
      )
      .readonly()
      .describe("By place; they may overlap. The text itself is not repeated."),
  })
  .meta({ id: "GuardrailFindings", description: "What a guardrail finds in a text." });
export type GuardrailFindings = Readonly<z.output<typeof guardrailFindingsSchema>>;

const FIELDS = Object.keys(REQUEST);

export function parseGuardrailCreation(value: JsonValue): Parsed<GuardrailCreation> {
  return parseWith(guardrailCreationSchema, value, nearestField(["id", ...FIELDS]));
}

export function parseGuardrailUpdate(value: JsonValue): Parsed<GuardrailUpdate> {
  return parseWith(guardrailUpdateSchema, value, nearestField(FIELDS));
}

export function parseGuardrailTest(value: JsonValue): Parsed<{ readonly text: string }> {
  return parseWith(guardrailTestSchema, value, nearestField(["text"]));
}
