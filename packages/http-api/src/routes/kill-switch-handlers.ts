import type { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import { activateKillSwitch } from "@svc/control-plane/activate-kill-switch";
import { deactivateKillSwitch } from "@svc/control-plane/deactivate-kill-switch";
import { getKillSwitch } from "@svc/control-plane/get-kill-switch";
import { viewKillSwitch } from "@svc/control-plane/kill-switch-view";
import { listKillSwitches } from "@svc/control-plane/list-kill-switches";
import type { Handlers, RequestContext } from "./handler.ts";

export const killSwitchHandlers: Handlers<typeof killSwitchRoutes> = {
  activateKillSwitch: async ({ body }, context) => {
    const activation = { ...body, trigger_source: "api" } as const;
    const outcome = await activateKillSwitch(context.ports, context.principal, activation);
    switch (outcome.kind) {
      case "activated":
        return { kind: "json", status: 201, body: view(context, outcome.answer) };
      case "extended":
      case "existing":
        return { kind: "json", status: 200, body: view(context, outcome.answer) };
      case "dry_run":
        return { kind: "json", status: 200, body: outcome.answer };
      case "problem":
        return outcome;
    }
  },
  listKillSwitches: async ({ query: { status, limit, cursor } }, context) => {
    const page = { limit, after: cursor ?? null };
    const outcome = await listKillSwitches(context.ports, context.principal, { status, page });
    if (outcome.kind === "problem") return outcome;
    const { items, next } = outcome.value;
    const kill_switches = items.map((record) => view(context, record));
    return { kind: "json", status: 200, body: { kill_switches, next_cursor: next } };
  },
  getKillSwitch: async ({ params }, context) => {
    const outcome = await getKillSwitch(context.ports, context.principal, params.kill_switch_id);
    if (outcome.kind === "problem") return outcome;
    return { kind: "json", status: 200, body: view(context, outcome.value) };
  },
  deactivateKillSwitch: async ({ params, body }, context) => {
    const deactivation = { ...body, ...params, trigger_source: "api" } as const;
    const outcome = await deactivateKillSwitch(context.ports, context.principal, deactivation);
    if (outcome.kind === "problem") return outcome;
    return { kind: "json", status: 200, body: view(context, outcome.answer) };
  },
};

function view<Shown extends KillSwitchRecord>({ ports }: RequestContext, record: Shown) {
  return viewKillSwitch(record, ports.clock.now());
}
