import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./toolchain.mjs";

/** The sources of the program that runs Rego modules, and beside them what was made of them. */
export const REACTOR_FOLDER = join(root, "packages/rego/reactor");
export const PACKED = join(REACTOR_FOLDER, "reactor.wasm.br");
export const DESCRIPTION = join(REACTOR_FOLDER, "reactor.json");

export interface ReactorDescription {
  /** Release of Open Policy Agent. */
  readonly opa: string;
  readonly go: string;
  /** SHA-256 of the names and bytes of the sources, in hex. */
  readonly sources: string;
  /** SHA-256 of the program, in hex. */
  readonly sha256: string;
  readonly bytes: number;
}

export function readDescription(): ReactorDescription {
  return JSON.parse(readFileSync(DESCRIPTION, "utf8")) as ReactorDescription;
}

export function digestOf(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

export function sourcesDigest(): string {
  const names = readdirSync(REACTOR_FOLDER).filter((name) => /\.(go|mod|sum|txt)$/.test(name));
  return digestOf(...names.toSorted().flatMap((name) => [name, readFileSync(join(REACTOR_FOLDER, name))]));
}
