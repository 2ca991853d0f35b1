import { isJsonObject, type JsonValue } from "@svc/text/json-value";
import { z } from "zod";
import { nearestField, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { COMMON_FIELDS, FORMAT_MEANING, KIND_DEFAULTS, KIND_FIELDS } from "./integration-fields.ts";
import { INTEGRATION_KINDS, type IntegrationKind } from "./integration-kinds.ts";

const KIND_EXPECTATION = `expected one of ${INTEGRATION_KINDS.join(", ")}`;

type KindFields = typeof KIND_FIELDS;
type Settings<Kind extends IntegrationKind> = Readonly<z.output<z.ZodObject<KindFields[Kind]>>>;

/** What an integration is to be, with its secret. */
export type IntegrationSettings = {
  readonly [Kind in IntegrationKind]: { readonly kind: Kind } & Settings<Kind>;
}[IntegrationKind];
export type IntegrationCreation = IntegrationSettings & {
  readonly name: string;
  readonly description: string | null;
};

/** What the description of the API calls the form of each kind. */
const REQUEST_NAMES = {
  siem_http: "SiemHttpIntegrationRequest",
  syslog: "SyslogIntegrationRequest",
  object_store: "ObjectStoreIntegrationRequest",
  otlp: "OtlpIntegrationRequest",
  github: "GithubIntegrationRequest",
} as const;

function meaningOf(name: string, field: z.ZodType): string {
  return name === "format" ? FORMAT_MEANING : (field.description ?? "");
}

function creationOf(kind: IntegrationKind) {
  const fields: Record<string, z.ZodType> = { ...KIND_FIELDS[kind] };
  const defaults: Readonly<Record<string, string | number | boolean | null>> = KIND_DEFAULTS[kind];
  for (const [name, value] of Object.entries(defaults)) {
    const field = fields[name];
    if (field !== undefined) fields[name] = field.default(value).describe(meaningOf(name, field));
  }
  return z
    .strictObject({
      kind: z.literal(kind),
      name: COMMON_FIELDS.name,
      description: COMMON_FIELDS.description.default(null),
      ...fields,
    })
    .meta({ id: REQUEST_NAMES[kind] });
}

const CREATIONS = {
  siem_http: creationOf("siem_http"),
  syslog: creationOf("syslog"),
  object_store: creationOf("object_store"),
  otlp: creationOf("otlp"),
  github: creationOf("github"),
};

const { siem_http, syslog, object_store, otlp, github } = CREATIONS;

/** Body of `POST integrations`. Its kind says which members it has. */
export const integrationCreationSchema = z
  .discriminatedUnion("kind", [siem_http, syslog, object_store, otlp, github], { error: KIND_EXPECTATION })
  .transform((body) => body as unknown as IntegrationCreation)
  .meta({
    id: "IntegrationRequest",
    description: "A connection that the service writes to or reads from.",
    discriminator: {
      propertyName: "kind",
      mapping: Object.fromEntries(
        Object.entries(REQUEST_NAMES).map(([kind, name]) => [kind, `#/components/schemas/${name}`]),
      ),
    },
  });

/** Every member of any kind. What a member may be for its kind is judged with the record. */
const ALL_FIELDS: Record<string, z.ZodType> = {
  name: COMMON_FIELDS.name.optional(),
  description: COMMON_FIELDS.description.optional(),
};
for (const fields of Object.values<Readonly<Record<string, z.ZodType>>>(KIND_FIELDS))
  for (const [name, field] of Object.entries(fields))
    ALL_FIELDS[name] ??= field.optional().describe(meaningOf(name, field));
const FIELD_NAMES = Object.keys(ALL_FIELDS);

/** Members that a request named, as they are in JSON. Which of them the kind has is not known here. */
export type IntegrationUpdate = Readonly<Record<string, JsonValue>>;

/** Body of `PATCH integrations/{id}`. What it leaves out stays as it is. */
export const integrationUpdateSchema = z
  .strictObject(ALL_FIELDS)
  .refine((body) => Object.keys(body).length > 0, {
    error: `expected at least one of ${FIELD_NAMES.join(", ")}`,
  })
  .transform((body) => body as IntegrationUpdate)
  .meta({ id: "IntegrationUpdate", description: "What is left out stays as it is. The kind cannot change." });

/** The names of members that integrations of a kind have. */
function fieldsOfKind(kind: IntegrationKind): readonly string[] {
  return [...Object.keys(COMMON_FIELDS), ...Object.keys(KIND_FIELDS[kind])];
}

/** The settings of a record with what a request changes. They are judged as those of a new one are. */
export function parseChangedIntegration(
  kind: IntegrationKind,
  value: JsonValue,
): Parsed<IntegrationCreation> {
  const schema = CREATIONS[kind].transform((body) => body as unknown as IntegrationCreation);
  return parseWith(schema, value, nearestField(fieldsOfKind(kind)));
}

export function parseIntegrationCreation(value: JsonValue): Parsed<IntegrationCreation> {
  const given = isJsonObject(value) ? value["kind"] : null;
  const kind = INTEGRATION_KINDS.find((each) => each === given);
  const fields = kind === undefined ? [] : fieldsOfKind(kind);
  return parseWith(integrationCreationSchema, value, nearestField(["kind", ...fields]));
}

export function parseIntegrationUpdate(value: JsonValue): Parsed<IntegrationUpdate> {
  return parseWith(integrationUpdateSchema, value, nearestField(FIELD_NAMES));
}
