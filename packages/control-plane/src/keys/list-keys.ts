import type { KeyRecord } from "@svc/contract/key";
import type { Principal } from "@svc/contract/principal";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { readPage } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, refuse } from "../refusal.ts";
import { keyRecord } from "./key-record.ts";

export interface KeyQuery {
  /** Null: the organization of the key that asks. */
  readonly org: string | null;
  readonly page: PageRequest;
}

/** By id, with the keys that were revoked. */
export async function listKeys(
  ports: Pick<ControlPlanePorts, "log" | "keys">,
  principal: Principal,
  { org, page }: KeyQuery,
): Promise<Outcome<Page<KeyRecord>>> {
  const asked = org ?? principal.org;
  if (asked !== principal.org && !principal.scopes.has("admin_key:write"))
    return refuse("forbidden", "Only the bootstrap key lists the keys of another organization.");
  const found = await readPage(ports, page, () => ports.keys.keys(asked, page));
  if (found.kind === "problem") return found;
  const { items, next } = found.value;
  return { kind: "ok", value: { items: items.map(keyRecord), next } };
}
