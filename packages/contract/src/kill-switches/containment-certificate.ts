import { z } from "zod";
import { timestampSchema } from "../fields/timestamp.ts";
import { TRIGGER_SOURCES } from "./kill-switch.ts";
import { KILL_SWITCH_SCOPES } from "./kill-switch-scope.ts";

export const CERTIFICATE_VERSION = 1;

/**
 * What is known of one gateway and one switch. Only a gateway that is `not_yet_contained` may still allow a
 * call that the switch stops.
 */
export const CONTAINMENT_STATES = [
  "enforcing",
  "joined_later",
  "denying",
  "not_yet_contained",
  "ended",
] as const;

const moment = (meaning: string) => timestampSchema.nullable().describe(meaning);

const certifiedGatewaySchema = z.strictObject({
  id: z.string(),
  host: z.string(),
  version: z.string(),
  state: z
    .enum(CONTAINMENT_STATES)
    .describe(
      "`enforcing`: it has written that it enforces the switch. `joined_later`: it joined after the " +
        "switch was committed, and loads it before its first decision. `denying`: it has not acknowledged, " +
        "so it is unverified, and its lease has ended, so it denies every call until it enforces the " +
        "switch. `not_yet_contained`: it has not acknowledged, and its lease may not have ended. `ended`: " +
        "the switch has ended, so nothing is claimed.",
    ),
  acknowledged_at: moment("When it wrote that it enforces the switch. Null: no such time is recorded."),
  contained_since: moment(
    "From then on it allows no call that the switch stops. Null: it may, or the switch has ended.",
  ),
  contained_at_latest: moment("For `not_yet_contained`: its lease has ended by then."),
  last_seen_at: moment("Its last sign of life. Null: it is not a member any more."),
});

export type CertifiedGateway = Readonly<z.infer<typeof certifiedGatewaySchema>>;

const auditRowSchema = z.strictObject({
  id: z.string().describe("`<log id>.<number>` of the row."),
  hash: z
    .string()
    .nullable()
    .describe("Its hash in hexadecimal. Null: the log does not hold it, or another row."),
  checkpoint_size: z
    .int()
    .nullable()
    .describe("Size of the first checkpoint that covers it. Null: none does yet."),
});

/** The statement of a server about a switch, as of one moment. */
export const containmentCertificateSchema = z.strictObject({
  v: z.literal(CERTIFICATE_VERSION),
  kill_switch_id: z.string(),
  org: z.string(),
  scope: z.enum(KILL_SWITCH_SCOPES),
  target_id: z.string().nullable(),
  account_wide: z.boolean(),
  reason: z.string(),
  activated_by: z.string(),
  trigger_source: z.enum(TRIGGER_SOURCES),
  activated_at: timestampSchema.describe("By the clock of the process that was asked."),
  expires_at: timestampSchema.nullable(),
  status: z.enum(["active", "inactive"]),
  ended_at: timestampSchema.nullable(),
  ended_by: z.string().nullable(),
  end_reason: z.string().nullable(),
  revision: z.int().describe("The revision of control state from which on the switch is in force."),
  audit_row: auditRowSchema
    .nullable()
    .describe("The row of the activation. Null: its position was not recorded."),
  issued_at: timestampSchema.describe("The certificate describes this moment."),
  issued_by: z.string().describe("The gateway id of the process that issued it."),
  clock: z
    .enum(["database", "process"])
    .describe("Whose clock all times of gateways and `issued_at` are of: one clock for all of them."),
  lease_ms: z.int(),
  containment: z.enum(["contained", "not_yet_contained", "ended"]),
  contained_since: moment("From then on no gateway allows a call that the switch stops."),
  contained_at_latest: moment("For `not_yet_contained`."),
  gateways: z.array(certifiedGatewaySchema).readonly(),
});

export type ContainmentCertificate = Readonly<z.infer<typeof containmentCertificateSchema>>;

/** The first statement in a certificate that contradicts another one; null when there is none. */
export function contradictionIn(certificate: ContainmentCertificate): string | null {
  const { containment, status, gateways, contained_since, contained_at_latest } = certificate;
  if ((containment === "ended") !== (status === "inactive"))
    return `containment is ${containment}, and the switch is ${status}`;
  if ((containment === "contained") !== (contained_since !== null))
    return `containment is ${containment}, and contained_since is ${String(contained_since)}`;
  if ((containment === "not_yet_contained") !== (contained_at_latest !== null))
    return `containment is ${containment}, and contained_at_latest is ${String(contained_at_latest)}`;
  for (const gateway of gateways) {
    const { id, state, contained_at_latest: latest } = gateway;
    if ((containment === "ended") !== (state === "ended"))
      return `containment is ${containment}, and the state of gateway ${id} is ${state}`;
    if (containment === "contained" && state === "not_yet_contained")
      return `containment is contained, and gateway ${id} is not_yet_contained`;
    const isContained = state === "enforcing" || state === "joined_later" || state === "denying";
    if (isContained !== (gateway.contained_since !== null))
      return `gateway ${id} is ${state}, and its contained_since is ${String(gateway.contained_since)}`;
    if ((state === "not_yet_contained") !== (latest !== null))
      return `gateway ${id} is ${state}, and its contained_at_latest is ${String(latest)}`;
  }
  return null;
}
