import type { KeyRecord } from "@svc/contract/key";
import type { Principal } from "@svc/contract/principal";
import type { StoredKey } from "@svc/store/ports/key-store";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";
import { keyRecord } from "./key-record.ts";

export async function getKey(
  ports: Pick<ControlPlanePorts, "log" | "keys">,
  principal: Principal,
  id: string,
): Promise<Outcome<KeyRecord>> {
  const found = await findVisibleKey(ports, principal, id);
  return found.kind === "problem" ? found : { kind: "ok", value: keyRecord(found.value) };
}

/** The key with this id, if this principal may know that it exists. */
export async function findVisibleKey(
  ports: Pick<ControlPlanePorts, "log" | "keys">,
  { org, scopes }: Principal,
  id: string,
): Promise<Outcome<StoredKey>> {
  const found = await callStore(ports, NOT_READ, () => ports.keys.key(id));
  if (found.kind === "problem") return found;
  const key = found.value;
  const isVisible = key !== null && (key.org === org || scopes.has("admin_key:write"));
  return isVisible ? { kind: "ok", value: key } : refuseUnknownKey(id);
}

const WHOLE_KEY = /^svc_(?<id>[a-z0-9]{4,32})(?:_.*)?$/;

/** Who sends a whole key in place of its id gets the id back, never the secret: answers end up in logs. */
export function refuseUnknownKey(asked: string): Refusal {
  const id = WHOLE_KEY.exec(asked)?.groups?.["id"];
  if (id !== undefined)
    return refuse("not_found", `A route takes the id of a key alone, which is ${id} here. Write keys/${id}.`);
  const shown = asked.startsWith("svc_") ? "with that id" : asked;
  return refuse("not_found", `This organization has no key ${shown}. GET keys lists the ids.`);
}
