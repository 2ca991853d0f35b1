import { type DialectName, dialectOf } from "./guardrail/dialect-name.ts";

/** What a request target leads to. */
export type Place =
  | { readonly kind: "check" }
  | { readonly kind: "verdict" }
  | { readonly kind: "guardrail"; readonly dialect: DialectName }
  | { readonly kind: "healthz" }
  | { readonly kind: "unmatched" };

export function placeOf(target: string): Place {
  const [path = ""] = target.split("?", 1);
  if (path === "/check" || path.startsWith("/check/")) return { kind: "check" };
  if (path === "/verdict") return { kind: "verdict" };
  const dialect = dialectOf(path);
  if (dialect !== null) return { kind: "guardrail", dialect };
  // The whole target, not its path: a proxy that appends the client's query must not be able to end up here.
  return { kind: target === "/healthz" ? "healthz" : "unmatched" };
}

/** The place as metrics and log lines name it. */
export type PlaceName = "check" | "verdict" | DialectName | "healthz" | "unmatched";

export function nameOf(place: Place): PlaceName {
  return place.kind === "guardrail" ? place.dialect : place.kind;
}
