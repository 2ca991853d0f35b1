import type { Principal } from "@svc/contract/principal";
import type { ReplayRecord } from "@svc/contract/replay";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Refusal, refuse } from "../refusal.ts";
import { settled } from "./lost-replays.ts";

export type FoundReplay = { readonly kind: "found"; readonly record: ReplayRecord };

export async function getReplay(
  ports: Pick<ControlPlanePorts, "log" | "clock" | "replays">,
  { org }: Principal,
  id: string,
): Promise<FoundReplay | Refusal> {
  const found = await callStore(ports, NOT_READ, async () => {
    const stored = await ports.replays.replay(org, id);
    return stored === null ? null : settled(ports, org, stored);
  });
  if (found.kind === "problem") return found;
  return found.value === null ? unknownReplay(id) : { kind: "found", record: found.value };
}

export function unknownReplay(id: string): Refusal {
  return refuse("not_found", `This organization has no replay ${id}. GET replays lists them.`);
}
