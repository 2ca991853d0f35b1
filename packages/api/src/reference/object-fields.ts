import type { Components, SchemaObject } from "../openapi/schema-object.ts";

/** One member of an object, for a line of a table. */
export interface ObjectField {
  readonly name: string;
  /** In words. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly meaning: string;
}

/**
 * The members of the object that a schema, or a reference to one, describes. Of an object of several kinds,
 * those of all kinds, each with the kinds that have it.
 */
export function objectFields(schema: SchemaObject, components: Components): readonly ObjectField[] {
  const { oneOf } = resolved(schema, components) as { readonly oneOf?: readonly SchemaObject[] };
  return oneOf === undefined ? fieldsOf(schema, components) : fieldsOfKinds(oneOf, components);
}

interface FieldOfKind extends ObjectField {
  /** As it is written in a table. */
  readonly kind: string;
}

function fieldsOfKinds(forms: readonly SchemaObject[], components: Components): readonly ObjectField[] {
  const all = forms.flatMap((form): readonly FieldOfKind[] => {
    const kind = kindOf(form, components);
    return fieldsOf(form, components).map((field) => ({ ...field, kind }));
  });
  return [...Map.groupBy(all, ({ name }) => name)].map(([name, fields]) => {
    if (name === KIND) return { name, type: kindsOf(fields), isRequired: true, meaning: KIND_MEANING };
    const demanding = fields.filter(({ isRequired }) => isRequired);
    const isRequired = demanding.length === fields.length;
    const meaning = [
      [...new Set(fields.map((field) => field.meaning))].join(" Or: "),
      ...(fields.length === forms.length ? [] : [`Only of ${kindsOf(fields)}.`]),
      ...(isRequired || demanding.length === 0 ? [] : [`Required of ${kindsOf(demanding)}.`]),
    ].join(" ");
    return { name, type: [...new Set(fields.map(({ type }) => type))].join(" or "), isRequired, meaning };
  });
}

/** The member that says which kind an object is. */
const KIND = "kind";
const KIND_MEANING = "Says which of the other fields there are.";

function kindOf(form: SchemaObject, components: Components): string {
  const { properties = {} } = resolved(form, components) as {
    readonly properties?: Readonly<Record<string, { readonly const?: unknown }>>;
  };
  return `\`${String(properties[KIND]?.const)}\``;
}

function kindsOf(fields: readonly FieldOfKind[]): string {
  return fields.map((field) => field.kind).join(", ");
}

function fieldsOf(schema: SchemaObject, components: Components): readonly ObjectField[] {
  const { properties = {}, required = [] } = resolved(schema, components) as {
    readonly properties?: Readonly<Record<string, SchemaObject & { readonly description?: string }>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    type: typeOf(property, components),
    isRequired: required.includes(name),
    meaning: inCell(property.description ?? ""),
  }));
}

function resolved(schema: SchemaObject, components: Components): SchemaObject {
  const reference = schema["$ref"];
  if (typeof reference !== "string") return schema;
  return components.all[reference.split("/").at(-1) ?? ""] ?? schema;
}

function typeOf(schema: SchemaObject, components: Components): string {
  const {
    type,
    enum: choices,
    anyOf,
    items,
  } = resolved(schema, components) as {
    readonly type?: string | readonly string[];
    readonly enum?: readonly unknown[];
    readonly anyOf?: readonly SchemaObject[];
    readonly items?: SchemaObject;
  };
  if (choices !== undefined) return choices.map((choice) => `\`${String(choice)}\``).join(", ");
  if (anyOf !== undefined) return [...new Set(anyOf.map((each) => typeOf(each, components)))].join(" or ");
  if (type === "array") return `array of ${items === undefined ? "values" : typeOf(items, components)}`;
  return typeof type === "string" ? type : (type ?? ["any JSON"]).join(" or ");
}

/** A line break or a bar would end the cell. */
function inCell(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
}
