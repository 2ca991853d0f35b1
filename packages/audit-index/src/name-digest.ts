import { hash } from "node:crypto";

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

const cache = new Map<string, number>();

/**
 * A name of an organization as an integer of 53 bits, so that an index entry takes eight bytes however long
 * the name is, and two organizations share no entries. Two names can share a digest; so every row that an
 * index names is compared with what was asked for.
 */
export function nameDigest(sort: NameSort, org: string, name: string): number {
  const key = `${sort}\0${org}\0${name}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const digest = Number(hash("sha256", key, "buffer").readBigUInt64BE() >> DROPPED_BITS);
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(key, digest);
  return digest;
}
