import { z } from "zod";
import { IDENTIFIER_EXPECTATION, identifierSchemaFor, isIdentifier } from "./identifier.ts";
import type { JsonValue } from "./json-value.ts";
import { KILL_SWITCH_SCOPES, type KillSwitchScope } from "./kill-switch.ts";
import { MAX_REASON_LENGTH, MAX_TTL_SECONDS, MIN_TTL_SECONDS } from "./limits.ts";
import { nearestName } from "./nearest-name.ts";
import { type FixFor, nearestField, parseWith } from "./parse-with.ts";
import type { Parsed } from "./parsed.ts";

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

/** Free text that says something: not only white space. */
const sentence = (what: string) => {
  const error = `expected ${what} in 1 to ${String(MAX_REASON_LENGTH)} characters, not only white space`;
  return z.string({ error }).max(MAX_REASON_LENGTH, { error }).regex(/\S/, { error });
};

const flag = () => z.boolean({ error: "expected true or false" }).default(false);

const TTL_EXPECTATION = `expected whole seconds from ${MIN_TTL_SECONDS} to ${MAX_TTL_SECONDS}`;

const activationFields = z.strictObject({
  scope: z.enum(KILL_SWITCH_SCOPES, { error: `expected one of ${KILL_SWITCH_SCOPES.join(", ")}` }),
  target_id: identifierSchemaFor(`an exact name (no glob): ${IDENTIFIER_EXPECTATION}`)
    .nullable()
    .default(null),
  reason: sentence("the reason"),
  activated_by: sentence("the name of who or what activates it"),
  ttl_seconds: z
    .int({ error: TTL_EXPECTATION })
    .min(MIN_TTL_SECONDS, { error: TTL_EXPECTATION })
    .max(MAX_TTL_SECONDS, { error: TTL_EXPECTATION })
    .nullable()
    .default(null),
  account_wide: flag(),
  auto_recovery: flag(),
  dry_run: flag(),
});

/** Body of `POST /v1/kill-switch`. */
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
  );

/** Body of `DELETE /v1/kill-switch/{id}`. */
export const killSwitchDeactivationSchema = z.strictObject({
  reason: sentence("the reason"),
  deactivated_by: sentence("the name of who or what deactivates it"),
});

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
  const target = typeof found === "string" && isIdentifier(found) ? found : `<the ${scope}>`;
  return `write "scope": "${scope}", "target_id": ${JSON.stringify(target)}`;
}

export function parseKillSwitchActivation(value: JsonValue): Parsed<KillSwitchActivation> {
  return parseWith(killSwitchActivationSchema, value, activationFix);
}

export function parseKillSwitchDeactivation(value: JsonValue): Parsed<KillSwitchDeactivation> {
  return parseWith(killSwitchDeactivationSchema, value, nearestField(["reason", "deactivated_by"]));
}
