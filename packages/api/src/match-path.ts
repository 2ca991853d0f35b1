import type { RouteDefinition } from "./route.ts";

/** The two prefixes under which the same routes are served. */
export const API_PREFIXES = ["/api/v1", "/v1"] as const;

/** Path parameters by name, decoded. */
export type PathParameters = Readonly<Record<string, string>>;

export type ReadParameters =
  | { readonly kind: "read"; readonly parameters: PathParameters }
  /** A parameter is not text once it is decoded. */
  | { readonly kind: "undecodable"; readonly name: string; readonly segment: string };

/**
 * Reads the parameters of a path that fits the pattern, whose parameters are names in braces. The path is
 * split first, then each parameter is decoded, once: an encoded slash never separates.
 */
export function readPathParameters(pattern: string, path: string): ReadParameters {
  const found = path.split("/");
  const parameters: Record<string, string> = {};
  for (const [at, part] of pattern.split("/").entries()) {
    if (!part.startsWith("{")) continue;
    const name = part.slice(1, -1);
    const segment = found[at] ?? "";
    const value = decodeOnce(segment);
    if (value === null) return { kind: "undecodable", name, segment };
    parameters[name] = value;
  }
  return { kind: "read", parameters };
}

/** Every path under which a route is served. */
export function fullPaths({ path, prefixed }: Pick<RouteDefinition, "path" | "prefixed">): readonly string[] {
  return prefixed === false ? [path] : API_PREFIXES.map((prefix) => `${prefix}${path}`);
}

/** The text of a percent-encoded segment; null when its bytes are not UTF-8 or an escape is cut off. */
function decodeOnce(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
