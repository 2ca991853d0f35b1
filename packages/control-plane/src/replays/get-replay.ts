import type { Principal } from "@svc/contract/principal";
import type { ReplayRecord } from "@svc/contract/replay";
import { readRecord } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";
import { settled } from "./lost-replays.ts";

export function getReplay(
  ports: Pick<ControlPlanePorts, "log" | "clock" | "replays">,
  { org }: Principal,
  id: string,
): Promise<Outcome<ReplayRecord>> {
  const read = async (): Promise<ReplayRecord | null> => {
    const stored = await ports.replays.replay(org, id);
    return stored === null ? null : settled(ports, org, stored);
  };
  return readRecord(ports, read, () => unknownReplay(id));
}

export function unknownReplay(id: string): Refusal {
  return refuse("not_found", `This organization has no replay ${id}. GET replays lists them.`);
}
