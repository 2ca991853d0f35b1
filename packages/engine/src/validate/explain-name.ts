import type { JsonObject } from "@svc/text/json-value";
import { didYouMean } from "@svc/text/nearest-name";

/** A closed list of names, and what people call them elsewhere. */
export interface NameList<Name extends string> {
  /** What one of them is: `operator`. */
  readonly kind: string;
  readonly names: readonly Name[];
  readonly synonyms: ReadonlyMap<string, string>;
}

export function namesSchema({ names }: NameList<string>): JsonObject {
  return { enum: names };
}

/** What to write instead of a name that is not on the list. A synonym may answer with a whole sentence. */
export function fixName({ names, synonyms }: NameList<string>, found: string): string {
  const plain = found.trim().toLowerCase();
  const meant = synonyms.get(plain.replaceAll(/[ -]/g, "_"));
  if (meant !== undefined) return names.includes(meant) ? `did you mean ${quoted(meant)}?` : meant;
  return didYouMean(plain, names) ?? `write one of ${names.map(quoted).join(", ")}`;
}

/** As it must be written: YAML reads an operator such as > without quotes as something else. */
function quoted(name: string): string {
  return /^[a-z]/.test(name) ? name : `"${name}"`;
}
