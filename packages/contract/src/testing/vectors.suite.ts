import { readFileSync } from "node:fs";

/** The cases of one file of `vectors/`, which readers in other languages share. */
export function loadVectors<Case>(name: string): readonly Case[] {
  const text = readFileSync(new URL(`../../vectors/${name}.json`, import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly cases: readonly Case[] }).cases;
}
