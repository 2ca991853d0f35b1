import { readFile } from "node:fs/promises";
import { DEFAULT_ORG } from "@svc/contract/execute-request";
import { ANY_POLICY } from "@svc/contract/policy-list";
import { unboundAdmin } from "@svc/contract/principal";
import { createPolicy } from "@svc/control-plane/create-policy";
import { listPolicies } from "@svc/control-plane/list-policies";
import type { ControlPlanePorts } from "@svc/control-plane/ports";

/** The author of the demonstration policies. */
const DEMO_PRINCIPAL = unboundAdmin({ id: "demo", org: DEFAULT_ORG });

/** The path is the same from the sources and from the bundle. */
const POLICIES = new URL("../../../policies/", import.meta.url);

/** Loads the demonstration policy into a store that has none. @returns whether it was loaded. */
export async function loadDemoPolicy(ports: ControlPlanePorts): Promise<boolean> {
  const known = await listPolicies(ports, DEMO_PRINCIPAL, {
    filter: ANY_POLICY,
    page: { limit: 1, after: null },
  });
  if (known.kind === "problem") throw new Error(known.problem.detail);
  if (known.value.items.length > 0) return false;
  await load(ports, "demo.yaml");
  return true;
}

/** Loads the policy for the agent that the shipped proxy configurations name. */
export function loadProxiesPolicy(ports: ControlPlanePorts): Promise<void> {
  return load(ports, "demo-proxies.yaml");
}

async function load(ports: ControlPlanePorts, file: string): Promise<void> {
  const source = await readFile(new URL(file, POLICIES), "utf8");
  const created = await createPolicy(ports, DEMO_PRINCIPAL, { source, mediaType: "application/yaml" });
  if (created.kind === "problem") throw new Error(`policies/${file} was refused: ${created.problem.detail}`);
}
