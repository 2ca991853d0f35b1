import { openRego, type RegoOptions, type RegoRuntime } from "../rego-runtime.ts";

/** A minute: a test of results must not depend on how busy its machine is. */
const PATIENT_MS = 60_000;

export function openPatientRego(options: Partial<RegoOptions> = {}): RegoRuntime {
  const budgets = { evaluateMs: PATIENT_MS, compileMs: PATIENT_MS, explainMs: PATIENT_MS };
  return openRego({ folder: null, budgets, ...options });
}
