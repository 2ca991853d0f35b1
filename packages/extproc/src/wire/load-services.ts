import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ServiceDefinition } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

/**
 * Fields keep their names. A field that was not sent is absent. An enum is its name, or its
 * number when unknown.
 */
const AS_SENT = { keepCase: true, longs: String, enums: String, defaults: false, oneofs: true } as const;

/** The services that svc-extproc offers, read from the hand-written `proto/` folder. */
export interface Services {
  readonly externalProcessor: ServiceDefinition;
  readonly health: ServiceDefinition;
}

/** @throws when the definitions are not in a folder `proto` beside this file or above it. */
export function loadServices(): Services {
  const folder = findProtoFolder(import.meta.dirname);
  return {
    externalProcessor: serviceIn(
      join(folder, "ext_proc.proto"),
      "envoy.service.ext_proc.v3.ExternalProcessor",
    ),
    health: serviceIn(join(folder, "health.proto"), "grpc.health.v1.Health"),
  };
}

/** Sources and bundles lie at different depths below the root. */
function findProtoFolder(start: string): string {
  const folder = join(start, "proto");
  if (existsSync(join(folder, "ext_proc.proto"))) return folder;
  const parent = dirname(start);
  if (parent === start)
    throw new Error("svc-extproc: expected a folder proto with ext_proc.proto, found none");
  return findProtoFolder(parent);
}

function serviceIn(file: string, name: string): ServiceDefinition {
  const service = loadSync(file, AS_SENT)[name];
  if (service === undefined || "format" in service) throw new Error(`${file}: expected the service ${name}`);
  return service;
}
