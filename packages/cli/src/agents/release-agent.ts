import { agentRoutes } from "@svc/api/agent-routes";
import { quarantineRoutes } from "@svc/api/quarantine-routes";
import { addressWords } from "../connection/address-words.ts";
import { actorOf, type ChangeOptions, reasonOf } from "../connection/change-options.ts";
import { changeRowMember, findChangeRow, rowsBefore } from "../connection/change-row.ts";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changeWords, sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import { commandText } from "../frame/command-text.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output } from "../frame/output.ts";
import { renderMembers } from "../frame/render-members.ts";
import type { Terminal } from "../frame/terminal.ts";
import { acknowledgementText, isConfirmed } from "../kill/acknowledgement-text.ts";

const SCHEMA = "svc.cli.release/v1";

/** Lifts the quarantine of an agent, and says which gateways let its calls go on. @throws CommandFailure */
export async function releaseAgent(id: string, options: ChangeOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const body = { reason: reasonOf(options), lifted_by: actorOf(options, terminal) };
  const client = new ControlClient(await resolveConnection(options, terminal));
  const params = { agent_id: id };
  const { body: before } = await client.ask(agentRoutes.getAgent, { params });
  const { quarantine } = before;
  if (quarantine === null || options.dryRun) {
    const text =
      quarantine === null
        ? `agent ${id} is not in quarantine; nothing was changed\n`
        : `dry run  nothing was changed; this would release agent ${id}, held for: ${quarantine.reason}\n`;
    output.result({ text, schema: SCHEMA, json: { changed: false, agent: before } });
    return "ok";
  }
  const query = { agent_id: id, kind: "agent" };
  const known = await rowsBefore(client, query);
  const asked = client.ask(quarantineRoutes.liftQuarantine, { params, body });
  const { body: answer } = await sayWhatIsKnown(asked, changeWords(commandText("svc-cli agents show", id)));
  const undo = commandText("svc-cli agents quarantine", id, `${addressWords(options)} --reason "..."`);
  const row = await findChangeRow(client, query, ({ action }) => action === "quarantine_lifted", known);
  output.result({
    text: [
      isConfirmed(answer) ? { text: "released", as: "good" } : { text: "NOT RELEASED EVERYWHERE", as: "bad" },
      `  agent ${id} may call what its policy allows\n`,
      ...acknowledgementText(answer, output),
      ...renderMembers([["undo", undo], ...changeRowMember(row)]),
    ],
    schema: SCHEMA,
    json: { changed: true, agent: answer, undo, audit_row: row.id },
  });
  return isConfirmed(answer) ? "ok" : "unreachable";
}
