import type { JsonValue } from "@svc/text/json-value";
import { nearestName } from "@svc/text/nearest-name";
import { z } from "zod";
import { answerForms } from "../fields/answer-forms.ts";
import { isName, NAME_EXPECTATION } from "../fields/name.ts";
import { nameSchemaFor } from "../fields/name-schema.ts";
import { pageSchema } from "../fields/page.ts";
import { type FixFor, nearestField, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { sentenceSchema } from "../fields/sentence-schema.ts";
import { timestampSchema } from "../fields/timestamp.ts";
import { ttlSecondsSchema } from "../fields/ttl-seconds-schema.ts";
import { acknowledgementFields } from "../gateways/acknowledgement.ts";
import { KILL_SWITCH_SCOPES, type KillSwitchScope } from "./kill-switch-scope.ts";
import { countedCallersSchema, recentCallersSchema } from "./recent-callers.ts";

export const killSwitchScopeSchema = z
  .enum(KILL_SWITCH_SCOPES, { error: `expected one of ${KILL_SWITCH_SCOPES.join(", ")}` })
  .meta({ id: "KillSwitchScope" });

export const TRIGGER_SOURCES = ["manual", "api", "rogue_detection", "ttl_expiry"] as const;
export type TriggerSource = (typeof TRIGGER_SOURCES)[number];

export const triggerSourceSchema = z.enum(TRIGGER_SOURCES).meta({ id: "TriggerSource" });

const TARGET = {
  scope: killSwitchScopeSchema,
  target_id: z
    .string()
    .nullable()
    .describe("The session, agent, tool or namespace. Null for an account-wide switch that names none."),
  account_wide: z.boolean().describe("Whether it stops every call of the organization."),
};

const RECORD = {
  kill_switch_id: z.string(),
  ...TARGET,
  auto_recovery: z.boolean(),
  status: z.enum(["active", "inactive"]).meta({ id: "KillSwitchStatus" }),
  reason: z.string(),
  activated_by: z.string(),
  trigger_source: triggerSourceSchema,
  activated_at: timestampSchema,
  expires_at: timestampSchema.nullable().describe("Null: active until somebody deactivates it."),
  ended_at: timestampSchema.nullable(),
  ended_by: z.string().nullable().describe("Who ended it; `ttl_expiry` when its time was over."),
  end_reason: z.string().nullable(),
  propagation_ms: z
    .number()
    .nullable()
    .describe("Milliseconds from `activated_at` to the slowest acknowledgement. Null while there is none."),
};

/** A kill switch as it is stored. */
export type KillSwitchRecord = Readonly<z.infer<z.ZodObject<typeof RECORD>>>;

const VIEW = {
  stops: z.string().describe("Which calls this switch stops now, in words."),
  remaining_seconds: z
    .number()
    .int()
    .nullable()
    .describe("Seconds until it ends by itself. Null when it does not, or when it has ended."),
};

/** Facts for people about a switch. They are computed when the switch is shown, and never stored. */
export type KillSwitchView = Readonly<z.infer<z.ZodObject<typeof VIEW>>>;

/** A kill switch as it is shown. */
export const killSwitchSchema = z
  .strictObject({ ...RECORD, ...VIEW })
  .meta({ id: "KillSwitch", description: "A switch that stops calls until it ends." });

export const killSwitchPageSchema = pageSchema("kill_switches", killSwitchSchema).meta({
  id: "KillSwitchPage",
  description: "A page of kill switches.",
});

const PROBE = {
  warning: z
    .string()
    .optional()
    .describe("Present when no gateway has seen the target, whose name may then be misspelt."),
  affected: recentCallersSchema
    .nullable()
    .describe("Who has called lately and is stopped. Null: that is not known."),
};

/** The answer to an activation. */
export const activatedKillSwitchSchema = killSwitchSchema
  .extend({
    kind: z.literal("activated"),
    ...PROBE,
    ...acknowledgementFields,
    enforced: z
      .boolean()
      .describe("True only when every known gateway has acknowledged that it enforces the switch."),
    extended: z.boolean().describe("Whether this activation gave an active switch a later end."),
  })
  .meta({ id: "ActivatedKillSwitch", description: "A switch, who is stopped by it and who enforces it." });

/** The answer to a dry run. A dry run blocks nothing and writes only its audit row. */
export const killSwitchDryRunSchema = z
  .strictObject({
    kind: z.literal("dry_run"),
    dry_run: z.literal(true),
    enforced: z.literal(false).describe("Nothing was activated."),
    ...TARGET,
    ...PROBE,
    affected: countedCallersSchema
      .nullable()
      .describe("Who has called lately and would be stopped. Null: that is not known."),
    ...acknowledgementFields,
    propagation_ms: RECORD.propagation_ms,
  })
  .meta({ id: "KillSwitchDryRun", description: "Who would be stopped, and how fast." });

/** The answer to a request to activate. */
export const killSwitchAnswerSchema = answerForms(
  "kind",
  [activatedKillSwitchSchema, killSwitchDryRunSchema],
  {
    id: "KillSwitchAnswer",
    description: "A switch that is active, or what a dry run found.",
  },
);

/** The answer to an end. */
export const endedKillSwitchSchema = killSwitchSchema
  .extend({
    end_propagation_ms: z
      .number()
      .nullable()
      .optional()
      .describe(
        "Milliseconds from `ended_at` to the slowest acknowledgement of the end. Null while there is none. " +
          "`propagation_ms` is that of the activation.",
      ),
    ...acknowledgementFields,
    gateways: acknowledgementFields.gateways.optional(),
  })
  .meta({ id: "EndedKillSwitch", description: "A switch that has ended." });

/** A request to activate a kill switch, with every default filled in. */
export interface KillSwitchActivation {
  readonly scope: KillSwitchScope;
  /** Null only for an account-wide switch that names none. */
  readonly target_id: string | null;
  readonly reason: string;
  readonly activated_by: string;
  readonly ttl_seconds: number | null;
  readonly account_wide: boolean;
  readonly auto_recovery: boolean;
  readonly dry_run: boolean;
}

export interface KillSwitchDeactivation {
  readonly reason: string;
  readonly deactivated_by: string;
}

const flag = () => z.boolean({ error: "expected true or false" }).default(false);

const activationFields = z.strictObject({
  scope: killSwitchScopeSchema.describe(
    "What `target_id` names. `global` means account-wide, and has no target.",
  ),
  target_id: nameSchemaFor(`an exact name (no glob): ${NAME_EXPECTATION}`)
    .nullable()
    .default(null)
    .describe("The exact name of what to stop. Null only for an account-wide switch."),
  reason: sentenceSchema("the reason").describe("Why, for people."),
  activated_by: sentenceSchema("the name of who or what activates it").describe("Who or what activates it."),
  ttl_seconds: ttlSecondsSchema.describe(
    "Seconds after which the switch ends by itself. Null: when somebody ends it.",
  ),
  account_wide: flag().describe("Whether every call of the organization stops."),
  auto_recovery: flag().describe("Must be true for an account-wide switch that ends by itself."),
  dry_run: flag().describe("Says who would be stopped, and stops nobody."),
});

/** Body of an activation. */
export const killSwitchActivationSchema = activationFields
  .superRefine((body, context) => {
    const refuse = (field: keyof KillSwitchActivation, message: string): void => {
      context.addIssue({ code: "custom", path: [field], message });
    };
    const accountWide = body.account_wide || body.scope === "global";
    if (!accountWide && body.target_id === null) refuse("target_id", `expected the ${body.scope} to stop`);
    if (body.scope === "global" && body.target_id !== null)
      refuse("target_id", "expected no target_id, because global stops every call");
    if (accountWide && body.ttl_seconds !== null && !body.auto_recovery) {
      const why = "without it an account-wide switch ends only when somebody deactivates it";
      refuse("ttl_seconds", `expected no ttl_seconds, or also auto_recovery true: ${why}`);
    }
    if (body.auto_recovery && body.ttl_seconds === null) {
      refuse(
        "auto_recovery",
        "expected also ttl_seconds, because the switch ends by itself only after that time",
      );
    }
  })
  .transform(
    (body): KillSwitchActivation => ({
      ...body,
      account_wide: body.account_wide || body.scope === "global",
    }),
  )
  .meta({ id: "KillSwitchRequest", description: "Whom to stop, why, and for how long." });

/** Body of `DELETE /v1/kill-switch/{id}`. */
export const killSwitchDeactivationSchema = z
  .strictObject({
    reason: sentenceSchema("the reason").describe("Why, for people."),
    deactivated_by: sentenceSchema("the name of who or what deactivates it").describe("Who or what ends it."),
  })
  .meta({ id: "KillSwitchEndRequest" });

/** Words that people write for an account-wide switch. */
const EVERYTHING = new Set([
  "account",
  "account_wide",
  "account-wide",
  "all",
  "everything",
  "org",
  "organization",
  "*",
]);

/** What to write in place of a field or scope that does not exist, for somebody in a hurry. */
const activationFix: FixFor = (path, found) => {
  const [name] = path;
  if (path.length !== 1 || typeof name !== "string") return null;
  if (name === "scope") return scopeFix(found);
  if (KILL_SWITCH_SCOPES.some((scope) => scope === name)) return targetFix(name, found);
  return nearestField(Object.keys(activationFields.shape))(path, found);
};

function scopeFix(found: JsonValue | undefined): string | null {
  if (typeof found !== "string") return null;
  if (EVERYTHING.has(found.toLowerCase()))
    return 'write "scope": "global" without target_id to stop every call';
  const nearest = nearestName(found, KILL_SWITCH_SCOPES);
  return nearest === null ? null : `did you mean ${nearest}?`;
}

/** `{"agent": "a-1"}` is a target in place of a field. */
function targetFix(scope: string, found: JsonValue | undefined): string {
  if (scope === "global") return 'write "scope": "global"';
  const target = typeof found === "string" && isName(found) ? found : `<the ${scope}>`;
  return `write "scope": "${scope}", "target_id": ${JSON.stringify(target)}`;
}

export function parseKillSwitchActivation(value: JsonValue): Parsed<KillSwitchActivation> {
  return parseWith(killSwitchActivationSchema, value, activationFix);
}

export function parseKillSwitchDeactivation(value: JsonValue): Parsed<KillSwitchDeactivation> {
  return parseWith(killSwitchDeactivationSchema, value, nearestField(["reason", "deactivated_by"]));
}
