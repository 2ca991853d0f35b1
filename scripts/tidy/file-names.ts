import { basename } from "node:path";
import type { Rule } from "./finding.ts";

const SOURCE = /^(?:packages\/[^/]+|gateway)\/src\/(?!.*\/?testing\/)(?!.*\.(?:test|suite)\.ts$).*\.ts$/;
const EXPORT =
  /^export (?:async )?(?:function\*?|(?:abstract )?class|interface|type|const|let)\s+([A-Za-z_$][\w$]*)/;

/** Names for a group of exports that have no name of their own. */
const GROUP = /^(?:limits|parsers|protocol|secrets|.+-(?:protocol|statements))$/;

/**
 * A file is named for what it exports: at least half of the words of its name stand in the name of one of its
 * exports. Singular and plural count as one word. A file that exports nothing, such as `main.ts`, is free.
 */
export const fileNameRule: Rule = ({ path, lines }) => {
  if (!SOURCE.test(path)) return [];
  const name = basename(path, ".ts");
  const exported = lines.flatMap((line) => EXPORT.exec(line)?.[1] ?? []);
  if (exported.length === 0 || GROUP.test(name)) return [];
  const words = wordsOf(name);
  const isNamed = exported.some((each) => {
    const shared = words.filter((word) => wordsOf(each).includes(word));
    return 2 * shared.length >= words.length;
  });
  if (isNamed) return [];
  const expected = "a file named for what it exports";
  return [{ path, line: 1, expected, found: `${name}.ts with ${exported.slice(0, 3).join(", ")}` }];
};

/** The words of a name in any of our spellings, in lower case and singular. */
function wordsOf(name: string): string[] {
  const spaced = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase();
  return spaced.split(/[^a-z0-9]+/).map((word) => (word.length > 3 ? word.replace(/s$/, "") : word));
}
