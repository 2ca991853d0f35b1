import type { Components, SchemaObject } from "../openapi/schema-object.ts";

/** One member of an object, for a line of a table. */
export interface ObjectField {
  readonly name: string;
  /** In words. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly meaning: string;
}

/** The members of the object that a schema, or a reference to one, describes. */
export function objectFields(schema: SchemaObject, components: Components): readonly ObjectField[] {
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
