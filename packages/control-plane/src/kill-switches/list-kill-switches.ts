import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { Principal } from "@svc/contract/principal";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { readPage } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Outcome } from "../refusal.ts";

export interface KillSwitchQuery {
  readonly status: "active" | "inactive" | "all";
  readonly page: PageRequest;
}

/** Newest first. */
export async function listKillSwitches(
  ports: Pick<ControlPlanePorts, "log" | "killSwitches">,
  { org }: Principal,
  { status, page }: KillSwitchQuery,
): Promise<Outcome<Page<KillSwitchRecord>>> {
  return readPage(ports, page, () => ports.killSwitches.killSwitches(org, status, page));
}
