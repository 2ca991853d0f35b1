import { Converter } from "@apiture/openapi-down-convert";

type Members = Readonly<Record<string, unknown>>;

/** The document as OpenAPI 3.0, for generators that do not read 3.1. */
export function downConvert(document: object): object {
  return new Converter(withNullable(document) as object).convert();
}

/** OpenAPI 3.0 has no type `null`, no list of types and no `const`. The converter misses some of each. */
function withNullable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNullable);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === "example" || key === "examples" || key === "value" ? member : withNullable(member),
    ]),
  );
  return withTypes(withAnyOf(withEnum(members)));
}

function withEnum(members: Members): Members {
  if (!Object.hasOwn(members, "const")) return members;
  const { const: value, ...others } = members;
  return { ...others, enum: [value] };
}

/** What is referred to is an object wherever it can be null. */
function withAnyOf({ anyOf, ...others }: Members): Members {
  if (!Array.isArray(anyOf)) return others;
  const forms = (anyOf as readonly Members[]).filter(({ type }) => type !== "null");
  const [only] = forms;
  if (forms.length === anyOf.length || only === undefined) return { ...others, anyOf };
  if (forms.length > 1) return { ...others, anyOf: forms, nullable: true };
  return "$ref" in only
    ? { ...others, type: "object", allOf: [only], nullable: true }
    : { ...only, ...others, nullable: true };
}

function withTypes(members: Members): Members {
  const { type, ...others } = members;
  if (!Array.isArray(type)) return members;
  const types: readonly unknown[] = type.filter((name) => name !== "null");
  const nullable = types.length < type.length ? { nullable: true } : {};
  if (types.length === 1) return { type: types[0], ...others, ...nullable };
  return { ...others, anyOf: types.map((name) => ({ type: name })), ...nullable };
}
