import type { JsonValue } from "@svc/text/json-value";
import { nearestName } from "@svc/text/nearest-name";
import { z } from "zod";
import { type FixFor, listFields, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { timestampSchema } from "../fields/timestamp.ts";
import {
  MAX_AUDIT_RETENTION_DAYS,
  MAX_CHANNEL_LENGTH,
  MAX_DETECTION_INTERVAL_SECONDS,
  MAX_GRACE_PERIOD_SECONDS,
  MAX_MISSED_HEARTBEATS,
  MAX_NOTIFY_CHANNELS,
} from "../limits.ts";
import { behaviourSchema } from "./behaviour.ts";
import { coverageSettingsSchema } from "./coverage-settings.ts";
import { riskSettingsSchema } from "./risk-settings.ts";

/** What may be notified: a webhook address, a chat channel, a service of a paging system. */
export const CHANNEL_KINDS = ["webhook", "slack", "pagerduty"] as const;

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

const CHANNEL_EXPECTATION = `expected 1 to ${String(MAX_CHANNEL_LENGTH)} characters`;
const channelText = z
  .string({ error: CHANNEL_EXPECTATION })
  .max(MAX_CHANNEL_LENGTH, { error: CHANNEL_EXPECTATION })
  .regex(/\S/, { error: CHANNEL_EXPECTATION })
  .optional();

const WEBHOOK_EXPECTATION = "expected an http:// or https:// address without user and password";

const channel = z
  .strictObject(
    {
      webhook: channelText.refine((text) => text === undefined || isWebAddress(text), {
        error: WEBHOOK_EXPECTATION,
      }),
      slack: channelText,
      pagerduty: channelText,
    },
    { error: `expected an object with one of ${CHANNEL_KINDS.join(", ")}` },
  )
  .refine((entry) => Object.keys(entry).length === 1, {
    error: `expected exactly one of ${CHANNEL_KINDS.join(", ")}`,
  })
  .meta({ id: "NotifyChannel" });

const CHANNELS_EXPECTATION = `expected a list of at most ${String(MAX_NOTIFY_CHANNELS)} channels`;

/** Whom to tell. Each entry names one address. */
export const notifyChannelsSchema = z
  .array(channel, { error: CHANNELS_EXPECTATION })
  .max(MAX_NOTIFY_CHANNELS, { error: CHANNELS_EXPECTATION })
  .default([]);

const escalation = z
  .strictObject(
    {
      auto_kill_on_emergency: flag().default(true),
      notify_channels: notifyChannelsSchema,
      audit_retention_days: wholeNumber("days", MAX_AUDIT_RETENTION_DAYS).default(365),
    },
    { error: "expected an object" },
  )
  .meta({ id: "Escalation" });

const settings = z
  .strictObject(
    {
      heartbeat: heartbeat.prefault({}),
      orphan_detection: orphanDetection.prefault({}),
      escalation: escalation.prefault({}),
      coverage: coverageSettingsSchema.prefault({}),
      risk: riskSettingsSchema.prefault({}),
      behaviour: behaviourSchema.prefault({}),
    },
    { error: "expected an object" },
  )
  .meta({ id: "RogueDetectionSettings" });

/**
 * Body of `PUT namespaces/{id}/rogue-detection`. It replaces all settings: what it leaves out gets the
 * default of its key.
 */
export const rogueDetectionUpdateSchema = z
  .strictObject({
    rogue_detection: settings.describe(
      "Heartbeats, orphans, escalation, coverage, risk and behaviour. What is left out is the default.",
    ),
  })
  .meta({
    id: "RogueDetectionRequest",
    description: "All settings. A key that is left out gets its default.",
  });

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

/** The fields that this version has in a section, and no others; what is not an object stays as it is. */
function knownOf(value: unknown, section: string): unknown {
  const fields = FIELDS_BY_SECTION[section];
  if (fields === undefined || typeof value !== "object" || value === null || Array.isArray(value))
    return value;
  const known = Object.entries(value).filter(([field]) => fields.includes(field));
  return Object.fromEntries(known.map(([field, inside]) => [field, knownOf(inside, `${section}.${field}`)]));
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
  "rogue_detection.escalation": Object.keys(escalation.shape),
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
  const fields = isChannel ? CHANNEL_KINDS : (FIELDS_BY_SECTION[section] ?? []);
  if (fields.some((field) => field === name)) return null;
  const home = Object.entries(FIELDS_BY_SECTION).find(([, known]) => known.includes(name));
  if (home !== undefined) return `write it inside ${home[0] === "" ? "the body" : home[0]}`;
  const nearest = nearestName(name, fields);
  if (nearest !== null) return `did you mean ${nearest}?`;
  return fields.length === 0 ? null : listFields(fields);
};

export function parseRogueDetection(value: JsonValue): Parsed<RogueDetectionSettings> {
  const parsed = parseWith(rogueDetectionUpdateSchema, value, settingsFix);
  return parsed.ok ? { ok: true, value: parsed.value.rogue_detection } : parsed;
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || url.protocol === "http:";
}
