import { MAX_POLICY_BYTES } from "@svc/contract/limits";
import type { PolicyMediaType } from "@svc/contract/policy";
import { type Guardrail, mayNameGuardrail } from "@svc/engine/guardrail";
import { STDIN } from "../frame/read-input.ts";
import type { Terminal } from "../frame/terminal.ts";
import { guardrailsBeside } from "./guardrail-file.ts";
import { readUtf8 } from "./read-utf8.ts";

/** The text of a policy, and what messages call it. */
export interface PolicyFile {
  readonly name: string;
  readonly source: string;
  readonly mediaType: PolicyMediaType;
  /** Those of `guardrails.yaml`, which it may name. */
  readonly guardrails?: readonly Guardrail[];
}

type Input = Pick<Terminal, "workingDirectory" | "stdin">;

/** With the guardrails beside it. @throws CommandFailure `usage`, or `failed` for refused guardrails */
export async function readPolicyFile(file: string, terminal: Input): Promise<PolicyFile> {
  const source = await readUtf8(file, terminal, { what: "a policy file", most: MAX_POLICY_BYTES });
  const mediaType = file.endsWith(".json") ? "application/json" : "application/yaml";
  const guardrails = mayNameGuardrail(source) ? await guardrailsBeside(file, terminal) : [];
  return { name: file === STDIN ? "stdin" : file, source, mediaType, guardrails };
}

/** The line, from 1, of an offset in UTF-16 units. */
export function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split("\n").length;
}
