import { Gauge, type Registry } from "prom-client";

export interface BuildInfo {
  /** The program as operators know it, such as `svc-checkgw`. */
  readonly program: string;
  readonly version: string;
}

/** Adds `svc_build_info`, which is always 1: its labels say which program of which version answers. */
export function registerBuildInfo(registry: Registry, { program, version }: BuildInfo): void {
  new Gauge({
    name: "svc_build_info",
    help: "Always 1; the labels name the program, its version and the version of Node",
    labelNames: ["program", "version", "node"],
    registers: [registry],
  }).set({ program, version, node: process.versions.node }, 1);
}
