import { loadProgram } from "../load-program.ts";
import { openRego, type RegoOptions, type RegoRuntime } from "../rego-runtime.ts";

/** A minute: a test of results must not depend on how busy its machine is. */
const PATIENT_MS = 60_000;

interface PatientOptions extends Partial<RegoOptions> {
  /** Of one evaluation; a minute unless said. */
  readonly evaluateMs?: number;
  /** Of one preparation; a minute unless said. */
  readonly compileMs?: number;
}

export function openPatientRego(given: PatientOptions = {}): RegoRuntime {
  const { evaluateMs = PATIENT_MS, compileMs = PATIENT_MS, ...options } = given;
  const budgets = { evaluateMs, compileMs, explainMs: PATIENT_MS, waitMs: PATIENT_MS };
  return openRego({ folder: null, budgets, ...options });
}

/** Loads the program once for several runtimes of one file of tests: its compilation takes seconds. */
export function loadOnce(): () => Promise<WebAssembly.Module> {
  let program: Promise<WebAssembly.Module> | null = null;
  return () => (program ??= loadProgram(null));
}
