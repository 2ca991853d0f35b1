import { MAX_SEGMENTS, parseFieldPattern, REFUSED_NAMES } from "../evaluate/field-path.ts";
import { quoteShort } from "../read/source-node.ts";

/** Why a text is not a path below `args`, and what to write instead. */
export interface PathFault {
  readonly message: string;
  readonly fix: string;
}

/** Longest text, in UTF-16 units, for which a path is suggested. */
const MAX_SUGGESTED_LENGTH = 200;

/** What other tools call the arguments of a call. */
const OTHER_ROOTS: ReadonlySet<string> = new Set([
  "arg",
  "args",
  "argument",
  "arguments",
  "body",
  "input",
  "parameters",
  "params",
  "tool_input",
]);

/** What other path languages write where `*` stands here. */
const OTHER_WILDCARDS: ReadonlySet<string> = new Set(["$", "#", "?", "%", ""]);

const ROOT = "args";
const EXAMPLE = "name an argument, such as args.amount";

/** What to do where a path with wildcards was written and one field is needed. */
export const NAME_EACH_FIELD = "name each field, such as args.items.0; wildcards are for redact and remove";

/** For a text that `parseFieldPattern` refuses. `wildcards`: whether the place takes paths that have some. */
export function describePathFault(text: string, wildcards: boolean): PathFault {
  const quoted = quoteShort(text);
  const names = text.split(".");
  const refused = names.find((name) => REFUSED_NAMES.has(name));
  if (refused !== undefined) {
    const message = `${quoted} can never exist: a request that holds the name ${refused} is refused`;
    return { message, fix: EXAMPLE };
  }
  const closed = `${text}"`;
  if (names[0] === ROOT && parseFieldPattern(closed) !== null)
    return { message: `${quoted} has a quote that is not closed`, fix: `close the quote: ${closed}` };
  const suggestion = suggestedPath(text);
  if (!wildcards && suggestion?.includes("*") === true)
    return { message: `${quoted} is not a path to one field`, fix: NAME_EACH_FIELD };
  const fix = suggestion === null ? EXAMPLE : `write ${suggestion}`;
  if (names[0] !== ROOT)
    return { message: `${quoted} is not an argument of a call`, fix: didYouMean(suggestion) };
  if (text === ROOT) return { message: `${quoted} is all arguments, and a path names one`, fix: EXAMPLE };
  if (names.includes("")) return { message: `${quoted} can never exist: a name between dots is empty`, fix };
  if (names.length > MAX_SEGMENTS) {
    const limit = `at most ${String(MAX_SEGMENTS)} names after args`;
    return {
      message: `${quoted} has too many names`,
      fix: `write ${limit}, or name the object that holds it`,
    };
  }
  return unknownCharacter(text, names, suggestion);
}

function didYouMean(suggestion: string | null): string {
  return suggestion === null ? EXAMPLE : `did you mean ${suggestion}?`;
}

function unknownCharacter(text: string, names: readonly string[], suggestion: string | null): PathFault {
  const character = /[^\p{L}\p{M}\p{N}_@:/+.-]/u.exec(text)?.[0] ?? "";
  const quoted = quoteShort(text);
  const message = `${quoted} has the character ${quoteShort(character)}, which no name may have here`;
  if (suggestion !== null) return { message, fix: `write ${suggestion}` };
  const at = names.findIndex((name) => name.includes(character));
  const quotedPath = [...names.slice(0, at), JSON.stringify(names[at]), ...names.slice(at + 1)].join(".");
  if (!/[*?"{}[\]()|]/.test(text) && parseFieldPattern(quotedPath) !== null)
    return { message, fix: `put the name in quotes: ${quotedPath}` };
  const above = [...names.slice(0, at), "*"].join(".");
  return {
    message: character === "*" ? `${quoted} has * within a name; it stands for a whole name` : message,
    fix: `name each field; redact.fields and constrain.remove may also say ${above}, which is all of them`,
  };
}

/** The path that was probably meant: brackets and other roots rewritten; null if that is not a path. */
function suggestedPath(text: string): string | null {
  if (text.length > MAX_SUGGESTED_LENGTH) return null;
  const dotted = text
    .trim()
    .replace(/^\$\.?/, "")
    .replace(/\[["' ]?([^[\]"']*)["' ]?\]/g, (_, name: string) => `.${name === "" ? "*" : name}`)
    .replace(/^\/+/, "");
  const names = (dotted.includes(".") ? dotted.split(".") : dotted.split("/")).filter((name) => name !== "");
  const [root = "", ...rest] = names;
  const isRoot = OTHER_ROOTS.has(root.toLowerCase());
  const below = (isRoot ? rest : names).map((name) => (OTHER_WILDCARDS.has(name) ? "*" : name));
  const path = [ROOT, ...below].join(".");
  return path !== text && parseFieldPattern(path) !== null ? path : null;
}
