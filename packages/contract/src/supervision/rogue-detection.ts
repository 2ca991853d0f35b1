import type { JsonValue } from "@svc/text/json-value";
import { nearestName } from "@svc/text/nearest-name";
import { z } from "zod";
import { type FixFor, listFields, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { timestampSchema } from "../fields/timestamp.ts";
import {
  MAX_AUDIT_RETENTION_DAYS,
  MAX_DETECTION_INTERVAL_SECONDS,
  MAX_GRACE_PERIOD_SECONDS,
  MAX_MISSED_HEARTBEATS,
} from "../limits.ts";
import { ENTRY_NAMES, storedNotifyChannels } from "../notifications/channel-kinds.ts";
import { notifyChannelsRequestSchema, notifyChannelsSchema } from "../notifications/notify-channel.ts";
import { behaviourSchema } from "./behaviour.ts";
import { coverageSettingsSchema } from "./coverage-settings.ts";
import { riskSettingsSchema } from "./risk-settings.ts";

const wholeNumber = (unit: string, max: number) => {
  const error = `expected whole ${unit} from 1 to ${String(max)}`;
  return z.int({ error }).min(1, { error }).max(max, { error });
};

const interval = () => wholeNumber("seconds", MAX_DETECTION_INTERVAL_SECONDS);
const missed = () => wholeNumber("heartbeats", MAX_MISSED_HEARTBEATS);
const flag = () => z.boolean({ error: "expected true or false" });

/** Missed heartbeats until each severity, where the settings do not say. */
const DEFAULT_MISSED = { warn_after_missed: 2, critical_after_missed: 4, emergency_after_missed: 8 } as const;

const heartbeat = z
  .strictObject(
    {
      interval_seconds: interval().default(15),
      warn_after_missed: missed().default(DEFAULT_MISSED.warn_after_missed),
      critical_after_missed: missed().default(DEFAULT_MISSED.critical_after_missed),
      emergency_after_missed: missed().default(DEFAULT_MISSED.emergency_after_missed),
    },
    { error: "expected an object" },
  )
  .superRefine((body, context) => {
    const { warn_after_missed: warn, critical_after_missed: critical, emergency_after_missed: end } = body;
    const refuse = (field: keyof typeof DEFAULT_MISSED, than: string, count: number): void => {
      const leftOut = `left out, it is ${String(DEFAULT_MISSED[field])}`;
      const message = `expected more than ${than}, which is ${String(count)} (${leftOut})`;
      context.addIssue({ code: "custom", path: [field], message });
    };
    if (critical <= warn) refuse("critical_after_missed", "warn_after_missed", warn);
    if (end <= critical) refuse("emergency_after_missed", "critical_after_missed", critical);
  })
  .meta({ id: "HeartbeatSettings" });

const orphanDetection = z
  .strictObject(
    {
      enabled: flag().default(true),
      parent_check_interval_seconds: interval().default(15),
      grace_period_seconds: wholeNumber("seconds", MAX_GRACE_PERIOD_SECONDS).default(60),
    },
    { error: "expected an object" },
  )
  .meta({ id: "OrphanDetection" });

/** @param names ids of the schemas, because answers show channels in another form than requests */
const settingsWith = <Channels extends z.ZodType>(
  notify_channels: Channels,
  names: { readonly escalation: string; readonly settings: string },
) => {
  const escalation = z
    .strictObject(
      {
        auto_kill_on_emergency: flag().default(true),
        notify_channels,
        audit_retention_days: wholeNumber("days", MAX_AUDIT_RETENTION_DAYS).default(365),
      },
      { error: "expected an object" },
    )
    .meta({ id: names.escalation });
  return z
    .strictObject(
      {
        heartbeat: heartbeat.prefault({}),
        orphan_detection: orphanDetection.prefault({}),
        escalation: escalation.prefault({} as z.input<typeof escalation>),
        coverage: coverageSettingsSchema.prefault({}),
        risk: riskSettingsSchema.prefault({}),
        behaviour: behaviourSchema.prefault({}),
      },
      { error: "expected an object" },
    )
    .meta({ id: names.settings });
};

const requested = settingsWith(notifyChannelsRequestSchema, {
  escalation: "EscalationRequest",
  settings: "RogueDetectionUpdate",
});

const settings = settingsWith(notifyChannelsSchema.default([]), {
  escalation: "Escalation",
  settings: "RogueDetectionSettings",
});

/**
 * Body of `PUT namespaces/{id}/rogue-detection`. It replaces all settings: what it leaves out gets the
 * default of its key.
 */
export const rogueDetectionUpdateSchema = z
  .strictObject({
    rogue_detection: requested.describe(
      "Heartbeats, orphans, escalation, coverage, risk and behaviour. What is left out is the default.",
    ),
  })
  .meta({
    id: "RogueDetectionRequest",
    description: "All settings. A key that is left out gets its default.",
  });

/** What a request asks for, before its channels are kept. */
export type RequestedRogueDetection = z.infer<typeof requested>;

/** The keys are those of the specification. */
export type RogueDetectionSettings = z.infer<typeof settings>;

/** The settings of every namespace that has none of its own. */
export const DEFAULT_ROGUE_DETECTION: RogueDetectionSettings = settings.parse({});

/**
 * Settings that were stored, by this version or another. A key that was not stored has its default. One that
 * this version does not know is passed over: in a rolling upgrade, both versions read them.
 * @throws for a value that no version stores
 */
export function storedRogueDetection(value: unknown): RogueDetectionSettings {
  return settings.parse(knownOf(value, "rogue_detection"));
}

/** Channels that an earlier version stored have another form. */
function withChannels(section: string, known: Readonly<Record<string, unknown>>): unknown {
  if (section !== "rogue_detection.escalation" || known["notify_channels"] === undefined) return known;
  return { ...known, notify_channels: storedNotifyChannels(known["notify_channels"] as JsonValue) };
}

/** The fields that this version has in a section, and no others; what is not an object stays as it is. */
function knownOf(value: unknown, section: string): unknown {
  const fields = FIELDS_BY_SECTION[section];
  if (fields === undefined || typeof value !== "object" || value === null || Array.isArray(value))
    return value;
  const known = Object.entries(value).filter(([field]) => fields.includes(field));
  const inner: Readonly<Record<string, unknown>> = Object.fromEntries(
    known.map(([field, inside]) => [field, knownOf(inside, `${section}.${field}`)]),
  );
  return withChannels(section, inner);
}

/** The settings of a namespace in their wire form. */
export const namespaceRogueDetectionSchema = z
  .strictObject({
    namespace_id: z.string(),
    rogue_detection: settings,
    updated_at: timestampSchema.nullable().describe("Null while the settings are the defaults"),
    updated_by: z.string().nullable().describe("Id of the key; null while the settings are the defaults"),
  })
  .meta({ id: "NamespaceRogueDetection", description: "When missing heartbeats become an emergency." });

export type NamespaceRogueDetection = Readonly<z.infer<typeof namespaceRogueDetectionSchema>>;

const FIELDS_BY_SECTION: Readonly<Record<string, readonly string[]>> = {
  "": ["rogue_detection"],
  rogue_detection: Object.keys(settings.shape),
  "rogue_detection.heartbeat": Object.keys(heartbeat.shape),
  "rogue_detection.orphan_detection": Object.keys(orphanDetection.shape),
  "rogue_detection.escalation": ["auto_kill_on_emergency", "notify_channels", "audit_retention_days"],
  "rogue_detection.coverage": Object.keys(coverageSettingsSchema.shape),
  "rogue_detection.risk": Object.keys(riskSettingsSchema.shape),
  "rogue_detection.behaviour": Object.keys(behaviourSchema.shape),
};

/** The field that was probably meant, or the section that a known field belongs to. */
const settingsFix: FixFor = (path) => {
  const name = path.at(-1);
  if (typeof name !== "string") return null;
  const section = path.slice(0, -1).join(".");
  const isChannel = path.slice(0, -1).includes("notify_channels");
  const fields = isChannel ? ENTRY_NAMES : (FIELDS_BY_SECTION[section] ?? []);
  if (fields.some((field) => field === name)) return null;
  const home = Object.entries(FIELDS_BY_SECTION).find(([, known]) => known.includes(name));
  if (home !== undefined) return `write it inside ${home[0] === "" ? "the body" : home[0]}`;
  const nearest = nearestName(name, fields);
  if (nearest !== null) return `did you mean ${nearest}?`;
  return fields.length === 0 ? null : listFields(fields);
};

export function parseRogueDetection(value: JsonValue): Parsed<RequestedRogueDetection> {
  const parsed = parseWith(rogueDetectionUpdateSchema, value, settingsFix);
  return parsed.ok ? { ok: true, value: parsed.value.rogue_detection } : parsed;
}
