import { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { ControlClient } from "../connection/control-client.ts";
import { everyPage } from "../connection/every-page.ts";

type KillSwitch = JsonAnswerOf<typeof killSwitchRoutes.listKillSwitches>["body"]["kill_switches"][number];

/** The active switches that stop an agent as a whole: on everything, on its namespace, and on itself. */
export type AgentSwitches = (agent: {
  readonly id: string;
  readonly namespace: string;
}) => readonly KillSwitch[];

export async function readAgentSwitches(client: ControlClient): Promise<AgentSwitches> {
  const byTarget = new Map<string, KillSwitch[]>();
  const query = { status: "active", limit: String(MAX_PAGE_SIZE) };
  const pages = everyPage((cursor) =>
    client.ask(killSwitchRoutes.listKillSwitches, { query: { ...query, cursor } }),
  );
  for await (const { kill_switches } of pages)
    for (const one of kill_switches) {
      const key = one.account_wide ? "global" : `${one.scope} ${one.target_id ?? ""}`;
      byTarget.set(key, [...(byTarget.get(key) ?? []), one]);
    }
  return ({ id, namespace }) =>
    ["global", `namespace ${namespace}`, `agent ${id}`].flatMap((key) => byTarget.get(key) ?? []);
}
