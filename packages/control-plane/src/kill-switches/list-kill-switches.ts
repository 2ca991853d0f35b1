import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { Principal } from "@svc/contract/principal";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Refusal, refuseCursor } from "../refusal.ts";

export interface KillSwitchQuery {
  readonly status: "active" | "inactive" | "all";
  readonly page: PageRequest;
}

/** Newest first. */
export async function listKillSwitches(
  ports: Pick<ControlPlanePorts, "log" | "killSwitches">,
  { org }: Principal,
  { status, page }: KillSwitchQuery,
): Promise<{ readonly kind: "listed"; readonly page: Page<KillSwitchRecord> } | Refusal> {
  const found = await callStore(ports, NOT_READ, () => ports.killSwitches.killSwitches(org, status, page));
  if (found.kind === "problem") return found;
  return found.value === "bad_cursor" ? refuseCursor(page.after) : { kind: "listed", page: found.value };
}
