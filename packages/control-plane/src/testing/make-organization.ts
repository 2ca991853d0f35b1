import { ANONYMOUS } from "@svc/contract/principal";
import { adminPrincipal } from "@svc/contract/testing/principals";
import { createKey } from "../keys/create-key.ts";
import { keyRequest } from "./key-request.ts";
import type { TestPorts } from "./test-ports.ts";

/** Makes an organization exist, by a lasting key. */
export async function makeOrganization(ports: TestPorts, org: string): Promise<void> {
  const made = await createKey(ports, adminPrincipal({ id: ANONYMOUS, org }), keyRequest());
  if (made.kind === "problem") throw new Error(made.problem.detail);
}
