import { compileExplaining } from "@svc/policy-analysis/compile-explaining";
import type { CompiledFile } from "../policy-files/compile-policy-file.ts";

/** The cases say what enforcement answers: under another mode every call is allowed. */
export function enforcing(file: CompiledFile): CompiledFile {
  const { document, policy } = file.explaining;
  const enforced = { ...document, head: { ...document.head, mode: "enforcement" as const } };
  return { ...file, explaining: compileExplaining(enforced, policy.evaluators) };
}
