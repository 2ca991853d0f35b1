import { isIdentifier } from "@svc/contract/identifier";

/** Most names that a fix lists. */
const MOST_NAMES = 5;

/** What to write instead of a glob that can match no tool. */
export function fixGlob(glob: string): string {
  const names = withoutBraces(glob);
  if (names !== null) return `globs have no braces: list the names separately, as in [${names.join(", ")}]`;
  if (glob.startsWith("!"))
    return `globs have no negation: write ${glob.slice(1)} under tools.denied instead`;
  if (/^\^|\$$|\.\*|\.\+|\\/.test(glob))
    return "globs are not regular expressions: write * where anything may stand";
  if (/[?[\]]/.test(glob))
    return `only * is special: write ${glob.replaceAll(/\?|\[[^\]]*\]/g, "*")}, or list the names`;
  const suggestion = asIdentifier(glob.replaceAll("*", ""));
  if (suggestion !== null && !glob.includes("*"))
    return `write the exact name of the tool, such as ${suggestion}`;
  return "write the exact name of the tool, with * where anything may stand";
}

/** The names that one pair of braces stands for; null when there is no such pair. */
function withoutBraces(glob: string): readonly string[] | null {
  const found = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/.exec(glob);
  if (found === null) return null;
  const [, head = "", inner = "", tail = ""] = found;
  const names = inner.split(",").map((part) => `${head}${part.trim()}${tail}`);
  return names.length <= MOST_NAMES ? names : [...names.slice(0, MOST_NAMES), "..."];
}

/** The nearest identifier, with dashes for what cannot stand in one; null when nothing is left. */
export function asIdentifier(text: string): string | null {
  const plain = text
    .trim()
    .replaceAll(/[^A-Za-z0-9._:@/-]+/g, "-")
    .replaceAll(/^[^A-Za-z0-9_]+|-+$/g, "");
  const suggestion = text.includes(" ") ? plain.toLowerCase() : plain;
  return isIdentifier(suggestion) ? suggestion : null;
}
