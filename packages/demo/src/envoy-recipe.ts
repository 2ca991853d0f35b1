import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findInstalledEnvoy, findProgram } from "@svc/process/find-program";
import { CHECKOUT } from "./checkout.ts";
import { choosePort } from "./loopback-port.ts";
import type { ProxyRecipe } from "./proxy-recipe.ts";
import { withAddresses } from "./with-addresses.ts";

const SHIPPED = join(CHECKOUT, "envoy", "envoy.yaml");

export interface EnvoyPlaces {
  /** Null if the demonstration must look for it. */
  readonly named: string | null;
  readonly path: string;
}

export function envoyRecipe({ named, path }: EnvoyPlaces): ProxyRecipe {
  if (named !== null && !existsSync(named))
    throw new Error(`SVC_ENVOY: expected a program, found ${JSON.stringify(named)}`);
  const program = named ?? findProgram("envoy", path) ?? findInstalledEnvoy(CHECKOUT);
  return {
    name: "Envoy",
    variable: "SVC_DEMO_ENVOY_PORT",
    missing: () => (program === null ? "envoy, on the PATH or named by SVC_ENVOY" : null),
    prepare: async ({ port, extprocPort, backendPort, folder }) => {
      const adminPort = await choosePort(0, "demonstration");
      const text = withAddresses(SHIPPED, await readFile(SHIPPED, "utf8"), [
        [/(?<=port_value: )8087\b/, String(port)],
        [/(?<=port_value: )9901\b/, String(adminPort)],
        [/(?<=port_value: )9002\b/, String(extprocPort)],
        [/(?<=port_value: )3000\b/, String(backendPort)],
      ]);
      const file = join(folder, "envoy.yaml");
      await writeFile(file, text);
      // No shared memory, which another Envoy could find and a killed one would leave.
      const args = ["-c", file, "--disable-hot-restart", "--concurrency", "1", "-l", "warn"];
      return [program ?? "envoy", { args, cwd: folder }];
    },
  };
}
