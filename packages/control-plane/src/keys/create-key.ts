import type { IssuedKey, KeyCreation } from "@svc/contract/key";
import type { Principal } from "@svc/contract/principal";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";
import { newApiKey } from "./api-key.ts";
import { issueKey, type KeyPorts } from "./issue-key.ts";
import { keyChange } from "./key-change.ts";
import { logKey } from "./log-key.ts";
import { refusePower } from "./refuse-power.ts";

/** Makes a key. Its secret is in this answer and nowhere else. */
export async function createKey(
  ports: KeyPorts,
  principal: Principal,
  { name, role, agents, namespaces, expires_at, org_id }: KeyCreation,
): Promise<Outcome<IssuedKey>> {
  const startedMs = ports.clock.nowMs();
  const now = ports.clock.now();
  const power = { org: org_id ?? principal.org, role, agents, namespaces, expires_at };
  const refusal = refuseEnd(expires_at, now) ?? refusePower(principal, power);
  if (refusal !== null) return refusal;
  const time = now.toISOString();
  return issueKey(ports, {
    key: { name, ...power, origin: "managed", created_at: time, created_by: principal.id },
    newKey: newApiKey,
    changeOf: (key) => keyChange(key, principal, { action: "created", time }),
    note: (key) => logKey(ports.log, "key created", { principal, key }),
    startedMs,
  });
}

function refuseEnd(expires_at: string | null, now: Date): Refusal | null {
  if (expires_at === null || Date.parse(expires_at) > now.getTime()) return null;
  const entry = { pointer: "/expires_at", expected: `a time after ${now.toISOString()}`, found: expires_at };
  return refuse("invalid_request", "The key would have expired already.", [entry]);
}
