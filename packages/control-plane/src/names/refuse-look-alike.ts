import type { Principal } from "@svc/contract/principal";
import { isAscii } from "@svc/engine/skeleton";
import { codePoint } from "@svc/text/code-point";
import { type Refusal, refuse } from "../refusal.ts";
import type { KnownName, KnownNames, NamedScope, NameOrigin } from "./known-names.ts";

/** Most code points that a refusal lists, as count. */
const SHOWN = 8;

const ORIGIN_TEXT: Readonly<Record<NameOrigin, string>> = {
  registered: "is registered",
  bound: "has a policy",
  switched: "an active kill switch stops",
};

/** A name that a request would set up, and the member of the request that has it. */
export interface NewName {
  readonly field: string;
  readonly scope: NamedScope;
  readonly name: string;
}

/** Refuses to set up a name that looks like a known one: its calls would be denied or taken for others. */
export function refuseLookAlike(
  { knownNames }: { readonly knownNames: Pick<KnownNames, "lookedLike"> },
  { org }: Pick<Principal, "org">,
  { field, scope, name }: NewName,
): Refusal | null {
  const other = knownNames.lookedLike(org, scope, name);
  if (other === null) return null;
  const expected = `a name that looks like no other ${scope}`;
  const found = `${JSON.stringify(name)}${foreignText(name)}, ${likeText(scope, other)}`;
  const fix = `use ${JSON.stringify(other.name)}, or a name that looks different`;
  const entry = { pointer: `/${field}`, expected, found, fix };
  return refuse("conflict", `${field}: expected ${expected}, found ${found} (${fix})`, [entry]);
}

function likeText(scope: NamedScope, { name, origin }: KnownName): string {
  const known = `${JSON.stringify(name)}${foreignText(name)}`;
  return `which looks like the ${scope} ${known} that ${ORIGIN_TEXT[origin]}`;
}

/** The code points that tell two names apart that look alike. */
function foreignText(name: string): string {
  const foreign = Array.from(name).filter((character) => !isAscii(character));
  return foreign.length === 0 ? "" : ` (${foreign.slice(0, SHOWN).map(codePoint).join(", ")})`;
}
