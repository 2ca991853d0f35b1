import { describe, expect, it } from "vitest";
import { parseDocument, type Scalar } from "yaml";
import { ScalarPlaces } from "./scalar-places.ts";

const MODULE = 'package p\n\ndeny contains "no \\"ü😀\\"" if {\n\tinput.tool == "it\'s"\n}\n';
const PLAIN = 'package p deny contains "no" if input.tool == "x"';

/** The text and the places of the scalar under the key `rego` of a document. */
function read(source: string) {
  const node = parseDocument(source).get("rego", true) as Scalar<string>;
  const start = node.range?.[0] ?? -1;
  const hasEscapes = source[start] === '"';
  return { value: node.value, hasEscapes, places: new ScalarPlaces(source, start, node.value) };
}

function indented(indent: string, text = MODULE): string {
  return text.replaceAll(/^(?=.)/gm, indent);
}

const STYLES: readonly (readonly [string, string])[] = [
  ["literal block", `id: p\nrego: |\n${indented("  ")}`],
  ["literal block with a comment, kept line ends", `rego: |+ # module\n${indented("    ")}\n\n# end\n`],
  ["literal block with its indentation, stripped", `rego: |2-\n${indented("  ", `  ${MODULE}`)}id: p\n`],
  ["literal block behind an anchor", `rego: &m |\n${indented("  ")}id: p\n`],
  ["literal block with the line ends of Windows", `rego: |\r\n${indented("  ").replaceAll("\n", "\r\n")}`],
  ["literal block that begins with blank lines", `rego: |\n\n\n${indented("  ")}`],
  ["folded block", `rego: >\n${indented("  ", MODULE.replaceAll("\n", "\n\n"))}`],
  ["folded block on which YAML folds lines", `rego: >-\n${indented("  ")}`],
  ["single-quoted text", `rego: '${MODULE.replaceAll("'", "''").replaceAll("\n", "\n\n  ")}'`],
  ["double-quoted text", `rego: ${JSON.stringify(MODULE)}`],
  [
    "double-quoted text with other escapes",
    'rego: "package\\x20p\\ndeny contains \\"\\u00fc\\U0001F600\\" \\\n   if\\tinput.tool\\n"',
  ],
  ["JSON with escaped pairs", '{"rego": "package p\\ndeny contains \\"\\ud83d\\ude00\\" if \\/ input"}'],
  ["plain text", `rego: ${PLAIN}\nid: p`],
  ["plain text on several lines", `rego: ${PLAIN.replaceAll(" ", "\n  ")}\nid: p`],
];

/** What stands in the source where a character of the value is. */
function written(source: string, offset: number, hasEscapes: boolean): string {
  if (!hasEscapes) return source[offset] ?? "";
  const escape = /^\\(?:[xuU]([0-9A-Fa-f]+)|(.))/.exec(source.slice(offset, offset + 10));
  if (escape === null) return source[offset] ?? "";
  return escape[1] === undefined ? (escape[2] ?? "") : String.fromCodePoint(Number.parseInt(escape[1], 16));
}

describe("the places of a text of YAML", () => {
  it.each(STYLES)("are found in a %s", (_, source) => {
    const { value, places, hasEscapes } = read(source);
    expect(value).toContain("package");
    let last = -1;
    for (const [index, unit] of value.split("").entries()) {
      const offset = places.offsetOf(index);
      expect(offset).toBeGreaterThanOrEqual(last);
      last = offset;
      if (/\s/.test(unit)) continue;
      // Both halves of one escape stand at its beginning.
      expect([index, written(source, offset, hasEscapes)]).toEqual([index, expect.stringContaining(unit)]);
    }
    expect(places.offsetOf(value.length)).toBeGreaterThan(source.indexOf("package"));
    expect(places.offsetOf(value.length)).toBeLessThanOrEqual(source.length);
  });

  it("are the beginning of what stands elsewhere", () => {
    const source = "a: &m package p\nrego: *m\n";
    const at = source.indexOf("*m");
    expect(new ScalarPlaces(source, at, "package p").offsetOf(8)).toBe(at);
    expect(new ScalarPlaces(source, at, "").offsetOf(0)).toBe(at);
  });
});
