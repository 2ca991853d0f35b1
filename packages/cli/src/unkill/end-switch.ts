import { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import { actorOf, type ChangeOptions, reasonOf } from "../connection/change-options.ts";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { acknowledgementText } from "../kill/acknowledgement-text.ts";

export type UnkillOptions = ChangeOptions;

const SCHEMA = "svc.cli.unkill/v1";

/** Ends a switch, and says which gateways let its calls go on. */
export async function endSwitch(id: string, options: UnkillOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  const params = { kill_switch_id: id };
  if (options.dryRun) {
    const { body: found } = await client.ask(killSwitchRoutes.getKillSwitch, { params });
    const text = found.status === "active" ? `This would end it: ${found.stops}.` : "It has ended already.";
    output.result({ text: `dry run   nothing was changed. ${text}\n`, schema: SCHEMA, json: found });
    return "ok";
  }
  const body = { reason: reasonOf(options), deactivated_by: actorOf(options, terminal) };
  const { body: ended } = await client.ask(killSwitchRoutes.deactivateKillSwitch, { params, body });
  const { gateways = [], ended_at, ended_by, scope, target_id, account_wide } = ended;
  const target = account_wide ? "global" : `${scope} ${target_id ?? ""}`;
  const undo = `svc-cli kill ${target} --reason "..."`;
  output.result({
    text: [
      { text: "ended   ", as: "good" },
      `  ${id} of ${target}, at ${ended_at ?? "?"} by ${ended_by ?? "?"}\n`,
      ...(ended.gateways === undefined ? [] : acknowledgementText({ ...ended, gateways }, output)),
      `undo      ${undo}\n`,
    ],
    schema: SCHEMA,
    json: { ...ended, undo },
  });
  const areAllThere = gateways.every(({ acknowledged_ms: ms }) => ms !== null);
  return areAllThere && ended.note === undefined ? "ok" : "unreachable";
}
