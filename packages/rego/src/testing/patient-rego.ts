import { loadProgram } from "../load-program.ts";
import { openRego, type RegoOptions, type RegoRuntime } from "../rego-runtime.ts";

/** A minute: a test of results must not depend on how busy its machine is. */
const PATIENT_MS = 60_000;

interface PatientOptions extends Partial<RegoOptions> {
  /** Of one evaluation; a minute unless said. */
  readonly evaluateMs?: number;
}

export function openPatientRego({ evaluateMs = PATIENT_MS, ...options }: PatientOptions = {}): RegoRuntime {
  const budgets = { evaluateMs, compileMs: PATIENT_MS, explainMs: PATIENT_MS, waitMs: PATIENT_MS };
  return openRego({ folder: null, budgets, ...options });
}

/** Loads the program once for several runtimes of one file of tests: its compilation takes seconds. */
export function loadOnce(): () => Promise<WebAssembly.Module> {
  let program: Promise<WebAssembly.Module> | null = null;
  return () => (program ??= loadProgram(null));
}
