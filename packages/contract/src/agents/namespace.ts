import type { JsonValue } from "@svc/text/json-value";
import { z } from "zod";
import {
  ADDRESSABLE_NAME_EXPECTATION,
  addressableNameSchema,
  isAddressableName,
} from "../fields/addressable-name.ts";
import { nameSchema } from "../fields/name-schema.ts";
import { pageSchema } from "../fields/page.ts";
import { type FixFor, nearestField, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { timestampSchema } from "../fields/timestamp.ts";
import { MAX_REASON_LENGTH } from "../limits.ts";

/** A namespace in its wire form. */
export const namespaceSchema = z
  .strictObject({
    id: nameSchema.describe("What calls, assignments and kill switches name"),
    name: z.string().describe("A name for people"),
    description: z.string().nullable(),
    created_at: timestampSchema.nullable().describe("Null for the namespace default, which nobody created"),
    created_by: z.string().nullable().describe("Id of the key; null for the namespace default"),
    updated_at: timestampSchema.nullable().describe("Null while the namespace default was never changed"),
  })
  .meta({ id: "Namespace", description: "A group of agents and calls." });

export const namespacePageSchema = pageSchema("namespaces", namespaceSchema).meta({
  id: "NamespacePage",
  description: "A page of namespaces, by id.",
});

export type NamespaceRecord = Readonly<z.infer<typeof namespaceSchema>>;

const LABEL_EXPECTATION = `expected 1 to ${String(MAX_REASON_LENGTH)} characters, not only white space`;
const DESCRIPTION_EXPECTATION = `expected at most ${String(MAX_REASON_LENGTH)} characters, or null`;

const name = z
  .string({ error: LABEL_EXPECTATION })
  .max(MAX_REASON_LENGTH, { error: LABEL_EXPECTATION })
  .regex(/\S/, { error: LABEL_EXPECTATION })
  .describe("What people call it.");

const description = z
  .string({ error: DESCRIPTION_EXPECTATION })
  .max(MAX_REASON_LENGTH, { error: DESCRIPTION_EXPECTATION })
  .nullable()
  .describe("What it is for.");

const NAMESPACE_FIELDS = ["id", "name", "description"];

/** Body of `POST namespaces`. A name that a path can hold is also the id, when the body has no id. */
export const namespaceCreationSchema = z
  .strictObject({
    id: addressableNameSchema
      .optional()
      .describe("What calls and assignments name. It never changes. Absent: the name, if that can be an id."),
    name: name.optional().describe("What people call it. Absent: the id."),
    description: description.default(null),
  })
  .superRefine((body, context) => {
    if (body.id !== undefined || (body.name !== undefined && isAddressableName(body.name))) return;
    const why = body.name === undefined ? "" : "; the name is not such an id";
    context.addIssue({
      code: "custom",
      path: ["id"],
      message: `expected ${ADDRESSABLE_NAME_EXPECTATION}${why}`,
    });
  })
  .transform((body) => {
    const id = body.id ?? body.name ?? "";
    return { id, name: body.name ?? id, description: body.description };
  })
  .meta({
    id: "NamespaceRequest",
    description: "At least one of id and name is set. A name that a path can hold is also the id.",
  });

export type NamespaceCreation = Readonly<z.infer<typeof namespaceCreationSchema>>;

/** Body of `PATCH namespaces/{id}`. What it leaves out stays as it is. */
export const namespaceUpdateSchema = z
  .strictObject({ name: name.optional(), description: description.optional() })
  .refine((body) => Object.keys(body).length > 0, { error: "expected name, description or both" })
  .meta({ id: "NamespaceUpdate", description: "What is left out stays as it is." });

export type NamespaceUpdate = Readonly<z.infer<typeof namespaceUpdateSchema>>;

export function parseNamespaceCreation(value: JsonValue): Parsed<NamespaceCreation> {
  return parseWith(namespaceCreationSchema, value, nearestField(NAMESPACE_FIELDS));
}

const updateFix: FixFor = (path, found) => {
  const [field] = path;
  if (field === "id") return "an id never changes; create another namespace";
  return nearestField(["name", "description"])(path, found);
};

export function parseNamespaceUpdate(value: JsonValue): Parsed<NamespaceUpdate> {
  return parseWith(namespaceUpdateSchema, value, updateFix);
}
