import { hash } from "node:crypto";
import { expect, it } from "vitest";
import { nameDigest } from "./name-digest.ts";

it.each([
  ["agent", "org-1", "a"],
  ["agent", "org-2", "a"],
  ["tool", "org-1", "a"],
  ["org", "org-1", ""],
  ["org", "", "org-1"],
] as const)(
  "is made from sort, organization and name: %s %s %s, also when it is known",
  (sort, org, name) => {
    const key = `${sort}\0${org}\0${name}`;
    const digest = Number(hash("sha256", key, "buffer").readBigUInt64BE() >> 11n);
    expect([nameDigest(sort, org, name), nameDigest(sort, org, name)]).toEqual([digest, digest]);
  },
);
