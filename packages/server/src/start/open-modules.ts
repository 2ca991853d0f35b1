import { createLimitedWarnings } from "@svc/process/limited-warnings";
import type { Logger } from "@svc/process/logger";
import { openRego, type RegoFailureCode, type RegoRuntime } from "@svc/rego/rego-runtime";
import { Counter, type Registry } from "prom-client";

const CODES = Object.keys({
  rego_timeout: true,
  rego_suspended: true,
  rego_busy: true,
  rego_error: true,
  rego_shape: true,
  rego_unavailable: true,
} satisfies Record<RegoFailureCode, true>) as readonly RegoFailureCode[];

/** What runs the modules of policies in this process. */
export interface ServerModules {
  readonly runtime: RegoRuntime;
  /** Shows how often modules failed. */
  register(registry: Registry): void;
  close(): Promise<void>;
}

/** Loads nothing before the first policy with a module. @param folder keeps the unpacked program */
export function openModules(folder: string, log: Pick<Logger, "warn">): ServerModules {
  const failures = new Map<RegoFailureCode, number>(CODES.map((code) => [code, 0]));
  const warn = createLimitedWarnings(log);
  const onFailure = (code: RegoFailureCode): void => {
    failures.set(code, (failures.get(code) ?? 0) + 1);
    warn(code, { code }, "the Rego module of a policy could not be evaluated, which denies");
  };
  const runtime = openRego({ folder, onFailure });
  return {
    runtime,
    register: (registry) => registerFailures(registry, failures),
    close: () => runtime.close(),
  };
}

function registerFailures(registry: Registry, failures: ReadonlyMap<RegoFailureCode, number>): void {
  new Counter({
    name: "svc_rego_failures_total",
    help: "Evaluations of Rego modules that failed, each of which denies, by code",
    labelNames: ["code"],
    registers: [registry],
    collect() {
      this.reset();
      // An alarm on a counter needs its initial zero.
      for (const [code, count] of failures) this.inc({ code }, count);
    },
  });
}
