import type { Principal } from "@svc/contract/principal";
import type { ReplayRecord } from "@svc/contract/replay";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, refuseCursor } from "../refusal.ts";
import { settled } from "./lost-replays.ts";

/** Newest first. */
export async function listReplays(
  ports: Pick<ControlPlanePorts, "log" | "clock" | "replays">,
  { org }: Principal,
  page: PageRequest,
): Promise<Outcome<Page<ReplayRecord>>> {
  const found = await callStore(ports, NOT_READ, async () => {
    const stored = await ports.replays.replays(org, page);
    if (stored === "bad_cursor") return stored;
    const items = await Promise.all(stored.items.map((one) => settled(ports, org, one)));
    return { items, next: stored.next };
  });
  if (found.kind === "problem") return found;
  return found.value === "bad_cursor" ? refuseCursor(page.after) : { kind: "ok", value: found.value };
}
