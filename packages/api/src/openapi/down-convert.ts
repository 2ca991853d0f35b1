import { Converter } from "@apiture/openapi-down-convert";

type Members = Readonly<Record<string, unknown>>;

/** The named schema that a reference refers to. */
type Find = (reference: string) => Members;

/** The document as OpenAPI 3.0, for generators that do not read 3.1. */
export function downConvert(document: Members): object {
  const { schemas } = document["components"] as { readonly schemas: Readonly<Record<string, Members>> };
  const find: Find = (reference) => schemas[reference.split("/").at(-1) ?? ""] ?? {};
  return new Converter(withNullable(document, find) as object).convert();
}

/** OpenAPI 3.0 has no type `null`, no list of types and no `const`. The converter misses some of each. */
function withNullable(value: unknown, find: Find): unknown {
  if (Array.isArray(value)) return value.map((member) => withNullable(member, find));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === "example" || key === "examples" || key === "value" ? member : withNullable(member, find),
    ]),
  );
  return withTypes(withReference(withAnyOf(withEnum(members), find)));
}

function withEnum(members: Members): Members {
  if (!Object.hasOwn(members, "const")) return members;
  const { const: value, ...others } = members;
  return { ...others, enum: [value] };
}

/** A reference stands alone in OpenAPI 3.0. */
function withReference({ $ref, ...others }: Members): Members {
  if ($ref === undefined) return others;
  return Object.keys(others).length === 0 ? { $ref } : { ...others, allOf: [{ $ref }] };
}

/** No reference can be null, so what is referred to is repeated there. */
function withAnyOf({ anyOf, ...others }: Members, find: Find): Members {
  if (!Array.isArray(anyOf)) return others;
  const forms = (anyOf as readonly Members[]).filter(({ type }) => type !== "null");
  const [only] = forms;
  if (forms.length === anyOf.length || only === undefined) return { ...others, anyOf };
  if (forms.length > 1) return { ...others, anyOf: forms, nullable: true };
  const { $ref } = only;
  const repeated = typeof $ref === "string" ? (withNullable(find($ref), find) as Members) : only;
  return { type: "object", ...repeated, ...others, nullable: true };
}

function withTypes(members: Members): Members {
  const { type, ...others } = members;
  if (!Array.isArray(type)) return members;
  const types: readonly unknown[] = type.filter((name) => name !== "null");
  const nullable = types.length < type.length ? { nullable: true } : {};
  if (types.length === 1) return { type: types[0], ...others, ...nullable };
  return { ...others, anyOf: types.map((name) => ({ type: name })), ...nullable };
}
