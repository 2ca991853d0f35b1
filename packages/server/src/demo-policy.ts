import { readFile } from "node:fs/promises";
import { DEFAULT_ORG } from "@svc/contract/execute-request";
import { createPolicy } from "@svc/control-plane/create-policy";
import { listPolicies } from "@svc/control-plane/list-policies";
import type { ControlPlanePorts } from "@svc/control-plane/ports";

/** Who the demonstration policy names as its author. */
const DEMO_PRINCIPAL = { id: "demo", org: DEFAULT_ORG };

/** Reached from the sources and from the bundle alike. */
const DEMO_POLICY = new URL("../../../policies/demo.yaml", import.meta.url);

/** Loads the demonstration policy into a store that has none. @returns whether it was loaded. */
export async function loadDemoPolicy(ports: ControlPlanePorts): Promise<boolean> {
  const known = await listPolicies(ports, DEMO_PRINCIPAL, { limit: 1, after: null });
  if (known.kind === "problem") throw new Error(known.detail);
  if (known.page.items.length > 0) return false;
  const source = await readFile(DEMO_POLICY, "utf8");
  const created = await createPolicy(ports, DEMO_PRINCIPAL, { source, mediaType: "application/yaml" });
  if (created.kind === "problem") throw new Error(`the demonstration policy was refused: ${created.detail}`);
  return true;
}
