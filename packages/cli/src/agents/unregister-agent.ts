import { agentRoutes } from "@svc/api/agent-routes";
import { addressWords } from "../connection/address-words.ts";
import { changeRowMember, findChangeRow, rowsBefore } from "../connection/change-row.ts";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changeWords, sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { commandText } from "../frame/command-text.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { renderMembers } from "../frame/render-members.ts";
import { shellWord } from "../frame/shell-word.ts";
import type { Terminal } from "../frame/terminal.ts";
import { acknowledgementText, isConfirmed } from "../kill/acknowledgement-text.ts";

export interface UnregisterOptions extends ServerOptions, OutputOptions {
  readonly reason?: string;
  readonly dryRun: boolean;
}

const SCHEMA = "svc.cli.unregister/v1";

/** Removes the registration of an agent, and says which gateways go by it. @throws CommandFailure */
export async function unregisterAgent(
  id: string,
  options: UnregisterOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  const params = { agent_id: id };
  const { body: before } = await client.ask(agentRoutes.getAgent, { params });
  if (options.dryRun) {
    const isRegistered = before.registered_at !== null;
    const what = isRegistered ? `this would remove the registration of agent ${id}` : "it is not registered";
    const text = `dry run  nothing was changed; ${what}\n`;
    output.result({
      text,
      schema: SCHEMA,
      json: { dry_run: true, would_change: isRegistered, agent: before },
    });
    return isRegistered ? "ok" : "failed";
  }
  const query = { agent_id: id, kind: "agent" };
  const known = await rowsBefore(client, query);
  const body = options.reason === undefined ? {} : { reason: options.reason };
  const asked = client.ask(agentRoutes.deleteAgent, { params, body });
  const { body: removed } = await sayWhatIsKnown(asked, changeWords(commandText("svc-cli agents show", id)));
  const row = await findChangeRow(client, query, ({ action }) => action === "removed", known);
  const words = ` --namespace ${shellWord(before.namespace)}${addressWords(options)}`;
  const undo = commandText("svc-cli agents register", id, words);
  output.result({
    text: [
      isConfirmed(removed) ? { text: "removed", as: "good" } : { text: "NOT KNOWN EVERYWHERE", as: "bad" },
      `  ${removed.effect}\n`,
      ...acknowledgementText(removed, output),
      ...renderMembers([["undo", undo], ...changeRowMember(row)]),
    ],
    schema: SCHEMA,
    json: { ...removed, undo, audit_row: row.id },
  });
  return isConfirmed(removed) ? "ok" : "unreachable";
}
