import { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import { actorOf, type ChangeOptions, reasonOf } from "../connection/change-options.ts";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { acknowledgementText } from "../kill/acknowledgement-text.ts";
import { targetText } from "../kill/target-text.ts";

export type UnkillOptions = ChangeOptions;

const WORDS = {
  nothing: "Nothing was changed",
  unknown: "It is not known whether the switch has ended",
  look: "Look with svc-cli kill list, or end it once more, which changes nothing where it has ended.",
};

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
  const asked = client.ask(killSwitchRoutes.deactivateKillSwitch, { params, body });
  const { body: ended } = await sayWhatIsKnown(asked, WORDS);
  const { gateways = [], ended_at, ended_by } = ended;
  const target = targetText(ended);
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
