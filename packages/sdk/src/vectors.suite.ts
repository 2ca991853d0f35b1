import { readFileSync } from "node:fs";

/** The cases of one file of vectors, which client libraries in every language share. */
export function loadVectors<Case>(name: string): readonly Case[] {
  const file = new URL(`../../contract/vectors/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly cases: readonly Case[] }).cases;
}
