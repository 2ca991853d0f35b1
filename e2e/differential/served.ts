import { createPolicy, send } from "../support/server/api.ts";
import { activate } from "../support/server/kill-switches.ts";
import { type ServerProcess, startServer } from "../support/server/server-process.ts";
import { policies, STOPPED_SESSION, switches } from "./policies.ts";
import { sessionAt } from "./seam.ts";

/** A real server with the policies in force and everything stopped that is to be. */
export async function startGoverned(seams: readonly string[]): Promise<ServerProcess> {
  const server = await startServer({ callers: "adapter" });
  for (const { id, yaml, binding } of policies) {
    mustBe(201, await createPolicy(server.url, yaml), id);
    const body = { policy_id: id, ...binding };
    mustBe(201, await send("POST", `${server.url}/v1/policy-assignments`, { body }), id);
  }
  const sessions = seams.map((seam) => ({ scope: "session", target_id: sessionAt(STOPPED_SESSION, seam) }));
  for (const target of [...switches, ...sessions]) {
    mustBe(201, await activate(server.url, target), target.target_id);
  }
  return server;
}

function mustBe(status: number, answer: Awaited<ReturnType<typeof send>>, what: string): void {
  if (answer.status !== status) throw new Error(`${what}: ${JSON.stringify(answer.body)}`);
}
