import { globFault } from "@svc/contract/glob-pattern";

/** Most names that a fix lists. */
const MOST_NAMES = 5;

/** What to write instead of a glob that can match no tool. */
export function fixGlob(glob: string): string {
  const names = withoutBraces(glob);
  if (names !== null) return `globs have no braces: list the names separately, as in [${names.join(", ")}]`;
  if (glob.startsWith("!"))
    return `globs have no negation: write ${glob.slice(1)} under tools.denied instead`;
  if (/^\^|\$$|^\.\*$|\.\+|\\/.test(glob))
    return "globs are not regular expressions: write * where anything may stand";
  if (/\[[^\]]+\]/.test(glob))
    return `only * is special: write ${glob.replaceAll(/\[[^\]]*\]/g, "*")}, or list the names`;
  return globFault(glob) ?? "write the exact name of the tool, with * where anything may stand";
}

/** The names that one pair of braces stands for; null when there is no such pair. */
function withoutBraces(glob: string): readonly string[] | null {
  const found = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/.exec(glob);
  if (found === null) return null;
  const [, head = "", inner = "", tail = ""] = found;
  const names = inner.split(",").map((part) => `${head}${part.trim()}${tail}`);
  return names.length <= MOST_NAMES ? names : [...names.slice(0, MOST_NAMES), "..."];
}
