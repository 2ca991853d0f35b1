import { z } from "zod";
import { pageSchema } from "../fields/page.ts";
import { timestampSchema } from "../fields/timestamp.ts";
import type { IntegrationSettings } from "./integration.ts";
import { rowFormatSchema } from "./integration-fields.ts";
import { INTEGRATION_KINDS, INTEGRATION_SECRET_SET } from "./integration-kinds.ts";

const shownSecret = z
  .literal(INTEGRATION_SECRET_SET)
  .nullable()
  .optional()
  .describe("`set`: there is one, which nobody is shown. Null: there is none.");

/** An integration in its wire form. It has the members of its kind. */
export const integrationSchema = z
  .strictObject({
    id: z.string(),
    kind: z.enum(INTEGRATION_KINDS).meta({ id: "IntegrationKind", description: "What it is connected to." }),
    name: z.string(),
    description: z.string().nullable(),
    enabled: z.boolean().optional(),
    url: z.string().optional(),
    format: rowFormatSchema.optional(),
    authorization: shownSecret,
    host: z.string().optional(),
    port: z.int().optional(),
    region: z.string().optional(),
    bucket: z.string().optional(),
    prefix: z.string().optional(),
    access_key_id: z.string().optional(),
    secret_access_key: shownSecret,
    repository: z.string().optional(),
    token: shownSecret,
    created_at: timestampSchema,
    created_by: z.string(),
    updated_at: timestampSchema,
    updated_by: z.string(),
  })
  .meta({ id: "Integration", description: "A connection that the service writes to or reads from." });
export type Integration = Readonly<z.infer<typeof integrationSchema>>;

/** The settings of each kind without its secret. */
export type PublicSettings = {
  readonly [Kind in IntegrationSettings["kind"]]: Omit<
    Extract<IntegrationSettings, { readonly kind: Kind }>,
    "authorization" | "secret_access_key" | "token" | "enabled"
  >;
}[IntegrationSettings["kind"]];

/** As it is kept. */
export interface IntegrationRecord {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly settings: PublicSettings;
  /** When an operator stopped it; null while rows are sent. */
  readonly disabled_at: string | null;
  /** Under which its secret is kept encrypted; null: it has none. It changes with the secret. */
  readonly secret_id: string | null;
  readonly created_at: string;
  readonly created_by: string;
  readonly updated_at: string;
  readonly updated_by: string;
}

const STATES = ["healthy", "failing", "disabled"] as const;

const healthSchema = z
  .strictObject({
    state: z.enum(STATES),
    failures: z.int().describe("Batches in a row that did not go through."),
    failing_since: timestampSchema.nullable(),
    last_error: z.string().nullable().describe("Why the last batch that failed did. Null: none has failed."),
    last_success_at: timestampSchema.nullable(),
    last_failure_at: timestampSchema.nullable(),
    next_attempt_at: timestampSchema.nullable().describe("When a batch that failed is sent again."),
    rows_sent: z.int().describe("Rows that the receiver has confirmed."),
    rows_lost: z
      .int()
      .describe("Rows that retention removed before they were sent, or that the receiver refused by itself."),
    unsent: z.int().describe("Rows that are not confirmed yet."),
    unsent_is_complete: z.boolean().describe("False: there are more than were counted."),
    oldest_unsent_at: timestampSchema.nullable(),
    lag_seconds: z.number().describe("Age of the oldest row that is not confirmed; 0: every row is."),
  })
  .meta({ id: "IntegrationHealth", description: "How far the receiver is, and how it fares." });
export type IntegrationHealth = Readonly<z.infer<typeof healthSchema>>;

export const integrationWithHealthSchema = integrationSchema
  .extend({ health: healthSchema.nullable().describe("Null: nothing is sent to this kind.") })
  .meta({ id: "IntegrationWithHealth", description: "An integration, and how it fares." });
export type IntegrationWithHealth = Readonly<z.infer<typeof integrationWithHealthSchema>>;

export const integrationPageSchema = pageSchema("integrations", integrationSchema).meta({
  id: "IntegrationPage",
  description: "A page of integrations, newest first.",
});

const factsSchema = z
  .strictObject({
    repository: z.string(),
    private: z.boolean(),
    archived: z.boolean(),
    default_branch: z.string(),
    token_can_write: z.boolean().describe("True: the token may do more than it needs. Give a narrower one."),
    head_commit: z
      .strictObject({
        sha: z.string(),
        signature_verified: z.boolean(),
        signature_reason: z.string(),
      })
      .meta({
        id: "RepositoryCommit",
        description: "The newest commit of the default branch, and whether its signature was verified.",
      }),
    workflows: z
      .array(
        z
          .strictObject({ name: z.string(), path: z.string(), state: z.string() })
          .meta({ id: "RepositoryWorkflow" }),
      )
      .readonly()
      .describe("The first 100 workflows."),
  })
  .meta({ id: "RepositoryFacts", description: "What is read of a repository." });
export type RepositoryFacts = Readonly<z.infer<typeof factsSchema>>;

/** What the other side said to a test. */
export const integrationTestSchema = z
  .strictObject({
    succeeded: z.boolean(),
    status: z.int().nullable().describe("Of its answer. Null: it gave none, or does not speak HTTP."),
    fault: z.string().nullable().describe("Why the test failed."),
    answer: z.string().describe("How its answer began."),
    latency_ms: z.int(),
    facts: factsSchema.nullable().describe("For `github`: what was read. Null for other kinds."),
  })
  .meta({ id: "IntegrationTest", description: "What became of a test." });
export type IntegrationTest = Readonly<z.infer<typeof integrationTestSchema>>;
