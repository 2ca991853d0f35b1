/** A compiled path: literal segments, `{name}` for one segment, `**` as the last for the rest. */
export interface PathTemplate {
  readonly text: string;
  readonly segments: readonly TemplateSegment[];
}

export type TemplateSegment =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "parameter"; readonly name: string }
  | { readonly kind: "rest" };

const LITERAL = /^[A-Za-z0-9._~-]+$/;
const PARAMETER = /^\{([A-Za-z_][A-Za-z0-9_]*)\}$/;

/** @throws saying what was expected. */
export function compilePathTemplate(text: string): PathTemplate {
  if (!text.startsWith("/")) throw new Error("a path that starts with /");
  const parts = text === "/" ? [] : text.slice(1).split("/");
  const segments = parts.map((part, index) => compileSegment(part, index === parts.length - 1));
  const names = segments.flatMap((segment) => (segment.kind === "parameter" ? [segment.name] : []));
  if (new Set(names).size !== names.length) throw new Error("a path whose parameters have different names");
  return { text, segments };
}

function compileSegment(part: string, isLast: boolean): TemplateSegment {
  if (part === "**" && isLast) return { kind: "rest" };
  const name = PARAMETER.exec(part)?.[1];
  if (name !== undefined) return { kind: "parameter", name };
  if (LITERAL.test(part) && !isDotted(part)) return { kind: "literal", text: part };
  throw new Error("a path of plain segments, {name} for one segment, and ** at its end for all that follow");
}

/**
 * The parameters of a path that the template matches, else null.
 * @param segments as split and decoded by `splitPath`
 */
export function matchPath(
  { segments }: PathTemplate,
  path: readonly string[],
): ReadonlyMap<string, string> | null {
  const parameters = new Map<string, string>();
  for (const [index, segment] of segments.entries()) {
    if (segment.kind === "rest") return parameters;
    const found = path[index];
    if (found === undefined) return null;
    if (segment.kind === "parameter") parameters.set(segment.name, found);
    else if (segment.text !== found) return null;
  }
  return path.length === segments.length ? parameters : null;
}

/**
 * Escapes, and the characters that RFC 3986 allows unescaped in a path. Some servers read a backslash as a
 * slash, or a space as the end.
 */
const PATH = /^(?:\/(?:[A-Za-z0-9._~!$&'()*+,=:@-]|%[0-9A-Fa-f]{2})*)+$/;

/**
 * The decoded segments of a path, or null when servers could read it differently: empty, dotted or unreadable
 * segments, an escaped slash, or a path parameter after a semicolon.
 */
export function splitPath(path: string): readonly string[] | null {
  if (path === "/") return [];
  if (!PATH.test(path)) return null;
  const segments = path.slice(1).split("/").map(decode);
  const isPlain = (segment: string | null): segment is string =>
    segment !== null && segment !== "" && !isDotted(segment) && !/[/\\;\p{Cc}]/u.test(segment);
  return segments.every(isPlain) ? segments : null;
}

function isDotted(segment: string): boolean {
  return segment === "." || segment === "..";
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
