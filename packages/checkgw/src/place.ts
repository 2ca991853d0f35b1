import { type DialectName, dialectOf } from "./guardrail/dialect-name.ts";

/** The part of the adapter that a request target names. */
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
  // Compares the whole target and not its path: a proxy that appends the query of the client must
  // not arrive here.
  return { kind: target === "/healthz" ? "healthz" : "unmatched" };
}

/** The place as metrics and log lines name it. */
export type PlaceName = "check" | "verdict" | DialectName | "healthz" | "unmatched";

export function nameOf(place: Place): PlaceName {
  return place.kind === "guardrail" ? place.dialect : place.kind;
}
