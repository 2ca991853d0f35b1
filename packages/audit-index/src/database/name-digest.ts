import { hash } from "node:crypto";
import { getOrAdd } from "@svc/process/get-or-add";

/** What a name is the name of. Equal texts of different sorts have different digests. */
export type NameSort =
  | "org"
  | "class"
  | "agent"
  | "session"
  | "tool"
  | "namespace"
  | "rule"
  | "policy"
  | "principal"
  | "approval"
  | "reason"
  | "switch"
  | "pattern";

/** Bits of a digest that are dropped: 53 bits remain, which numbers hold exactly. */
const DROPPED_BITS = 11n;

/** Digests kept in memory, as count: the active agents, sessions and tools of a busy server. */
const MAX_CACHED = 50_000;

/** By sort and organization, then by name: no text is put together to find a digest that is known. */
const cache = new Map<NameSort, Map<string, Map<string, number>>>();
let cached = 0;

/**
 * A name of an organization as an integer of 53 bits, so that an index entry takes eight bytes however long
 * the name is, and two organizations share no entries. Two names can share a digest; so every row that an
 * index names is compared with what was asked for.
 */
export function nameDigest(sort: NameSort, org: string, name: string): number {
  const known = cache.get(sort)?.get(org)?.get(name);
  if (known !== undefined) return known;
  const key = `${sort}\0${org}\0${name}`;
  const digest = Number(hash("sha256", key, "buffer").readBigUInt64BE() >> DROPPED_BITS);
  remember({ sort, org, name }, digest);
  return digest;
}

function remember(
  { sort, org, name }: { readonly sort: NameSort; readonly org: string; readonly name: string },
  digest: number,
): void {
  if (cached >= MAX_CACHED) {
    cache.clear();
    cached = 0;
  }
  const ofSort = getOrAdd(cache, sort, () => new Map<string, Map<string, number>>());
  getOrAdd(ofSort, org, () => new Map<string, number>()).set(name, digest);
  cached += 1;
}
