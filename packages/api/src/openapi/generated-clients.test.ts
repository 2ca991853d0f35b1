import { expect, it } from "vitest";
import { renderOpenApi } from "./render-openapi.ts";

type Node = Readonly<Record<string, unknown>>;

const document = renderOpenApi("0.0.0") as {
  readonly components: { readonly schemas: Readonly<Record<string, Node>> };
};
const { schemas } = document.components;

/** Every schema of the document with the place where it stands. */
function* schemasIn(value: unknown, place = "#"): Generator<readonly [string, Node]> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield [place, value as Node];
  for (const [key, member] of Object.entries(value))
    if (!["example", "examples", "default", "enum"].includes(key))
      yield* schemasIn(member, `${place}/${key}`);
}

const nodes = [...schemasIn(document)];
const placesOf = (isWrong: (node: Node) => boolean): string[] =>
  nodes.filter(([, node]) => isWrong(node)).map(([place]) => place);

/** The named schemas themselves, and what stands below them or in a path. */
const isNamed = (place: string): boolean => /^#\/components\/schemas\/[^/]+$/.test(place);

const typesOf = ({ type }: Node): readonly unknown[] => (Array.isArray(type) ? type : [type]);

// proves OAS-10
it.each<[string, (node: Node) => boolean]>([
  ["no truth value is fixed", (node) => node["type"] === "boolean" && ("const" in node || "enum" in node)],
  [
    "every number has a format",
    (node) => typesOf(node).some((type) => type === "integer" || type === "number") && !("format" in node),
  ],
  ["no time has a pattern", (node) => node["format"] === "date-time" && "pattern" in node],
  [
    "further members are true, not an empty schema",
    ({ additionalProperties: more }) =>
      typeof more === "object" && more !== null && Object.keys(more).length === 0,
  ],
  [
    "no amount is a text or a number",
    (node) => typesOf(node).includes("string") && typesOf(node).includes("number"),
  ],
])("%s", (_rule, isWrong) => {
  expect(placesOf(isWrong)).toEqual([]);
});

// proves OAS-10
it("every object has a name of its own: generators number the others, and the numbers change", () => {
  const objects = nodes.filter(([, node]) => node["type"] === "object" && "properties" in node);
  expect(objects.map(([place]) => place).filter((place) => !isNamed(place))).toEqual([]);
});

// proves OAS-10
it("an enumeration that stands twice has a name", () => {
  const inline = nodes.filter(([place, { enum: words }]) => !isNamed(place) && Array.isArray(words));
  const texts = inline.map(([, { enum: words }]) => JSON.stringify(words));
  expect(texts.filter((text, at) => texts.indexOf(text) !== at && !text.includes("true"))).toEqual([]);
});

/** The named forms of a union; null where it is a form that can be null. */
function formsOf(node: Node): readonly string[] | null {
  const forms = (node["oneOf"] ?? node["anyOf"]) as readonly Node[] | undefined;
  const named = (forms ?? []).filter(({ type }) => type !== "null");
  if (named.length < 2 || !named.every((form) => typeof form["$ref"] === "string")) return null;
  return named.map((form) => String(form["$ref"]).split("/").at(-1) ?? "");
}

// proves OAS-10
it("tells the forms of every answer apart by a discriminator", () => {
  const unions = nodes.filter(([, node]) => formsOf(node) !== null);
  const confused = unions.filter(([, node]) => !("oneOf" in node && "discriminator" in node));
  expect(confused.map(([place]) => place)).toEqual([]);
});

// proves OAS-10
it("maps every value of a discriminator to one form that has it", () => {
  const found = nodes.filter(([, node]) => "discriminator" in node && "oneOf" in node);
  expect(found.map(([place]) => place.split("/").at(-1))).toEqual([
    "Counterfactual",
    "IntegrationRequest",
    "KeyAnswer",
    "KillSwitchAnswer",
    "PolicyAnswer",
    "QuarantineAnswer",
    "Verdict",
    "WebhookAnswer",
  ]);
  for (const [, node] of found) {
    const { propertyName, mapping } = node["discriminator"] as {
      readonly propertyName: string;
      readonly mapping: Readonly<Record<string, string>>;
    };
    const forms = formsOf(node) ?? [];
    const mapped = Object.values(mapping).map((reference) => reference.split("/").at(-1));
    expect(new Set(mapped)).toEqual(new Set(forms));
    expect(mapped).toHaveLength(forms.length);
    for (const [value, reference] of Object.entries(mapping)) {
      expect(schemas[reference.split("/").at(-1) ?? ""]).toMatchObject({
        properties: { [propertyName]: { const: value } },
        required: expect.arrayContaining([propertyName]) as unknown,
      });
    }
  }
});

// proves OAS-10
it("leaves reason codes open, so that a client reads a code that it does not know", () => {
  const codes = nodes.filter(([, node]) => "x-known-values" in node);
  expect(codes.length).toBeGreaterThan(3);
  expect(codes.filter(([, node]) => "enum" in node)).toEqual([]);
});
