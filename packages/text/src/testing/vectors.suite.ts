import { readFileSync } from "node:fs";

/** The cases of one file of the vectors of the contract, which clients in every language share. */
export function loadVectors<Case>(name: string): readonly Case[] {
  const text = readFileSync(new URL(`../../../contract/vectors/${name}.json`, import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly cases: readonly Case[] }).cases;
}
