import type { HeldCallRecord } from "@svc/contract/held-call";
import type { Principal } from "@svc/contract/principal";
import type { HeldCallFilter } from "@svc/store/ports/held-call-store";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { readPage } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Outcome } from "../refusal.ts";
import { viewHeldCall } from "./held-call-view.ts";

export interface HeldCallQuery extends Pick<HeldCallFilter, "status" | "agentId" | "sessionId" | "tool"> {
  readonly page: PageRequest;
}

/** Newest first. A bound key sees those of its agents and namespaces. */
export async function listHeldCalls(
  ports: Pick<ControlPlanePorts, "clock" | "log" | "heldCalls" | "publicUrl">,
  { org, agents, namespaces }: Principal,
  { page, ...filters }: HeldCallQuery,
): Promise<Outcome<Page<HeldCallRecord>>> {
  const filter = {
    ...filters,
    agents: agents === null ? null : [...agents],
    namespaces: namespaces === null ? null : [...namespaces],
    atMs: ports.clock.now().getTime(),
  };
  const found = await readPage(ports, page, () => ports.heldCalls.heldCalls(org, filter, page));
  if (found.kind === "problem") return found;
  const { items, next } = found.value;
  return { kind: "ok", value: { items: items.map((item) => viewHeldCall(ports, item)), next } };
}
