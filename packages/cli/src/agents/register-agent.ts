import { agentRoutes } from "@svc/api/agent-routes";
import { addressWords } from "../connection/address-words.ts";
import { changeRowMember, findChangeRow, rowsBefore } from "../connection/change-row.ts";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changeWords, sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { commandText } from "../frame/command-text.ts";
import { CommandFailure, EXIT_CODES, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { renderMembers } from "../frame/render-members.ts";
import type { Terminal } from "../frame/terminal.ts";
import { acknowledgementText, isConfirmed } from "../kill/acknowledgement-text.ts";

export interface RegisterOptions extends ServerOptions, OutputOptions {
  readonly namespace?: string;
  readonly name?: string;
  readonly provider?: string;
  readonly tags?: readonly string[];
  readonly capabilities?: readonly string[];
  readonly parent?: string;
  readonly reason?: string;
  readonly dryRun: boolean;
}

const SCHEMA = "svc.cli.register/v1";

/** Registers an agent, and says which gateways go by it. @throws CommandFailure */
export async function registerAgent(
  id: string,
  options: RegisterOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  if (options.dryRun) return rehearse(client, id, { options, output });
  const query = { agent_id: id, kind: "agent" };
  const known = await rowsBefore(client, query);
  const { body: agent } = await sayWhatIsKnown(
    ask(client, id, options),
    changeWords(commandText("svc-cli agents show", id)),
  );
  const undo = commandText("svc-cli agents unregister", id, addressWords(options));
  const row = await findChangeRow(
    client,
    query,
    ({ action }) => action === "registered" || action === "adopted",
    known,
  );
  output.result({
    text: [
      isConfirmed(agent) ? { text: "registered", as: "good" } : { text: "NOT KNOWN EVERYWHERE", as: "bad" },
      `  agent ${id} in namespace ${agent.namespace}\n`,
      ...acknowledgementText(agent, output),
      ...renderMembers([["undo", undo], ...changeRowMember(row)]),
    ],
    schema: SCHEMA,
    json: { changed: true, agent, undo, audit_row: row.id },
  });
  return isConfirmed(agent) ? "ok" : "unreachable";
}

function ask(client: ControlClient, id: string, options: RegisterOptions) {
  const { namespace, name, provider, tags, capabilities, parent, reason } = options;
  const description = {
    ...(name === undefined ? {} : { name }),
    provider: provider ?? null,
    tags: [...(tags ?? [])],
    capabilities: [...(capabilities ?? [])],
    parent_agent_id: parent ?? null,
    ...(reason === undefined ? {} : { reason }),
  };
  if (namespace === undefined)
    return client.ask(agentRoutes.adoptAgent, { params: { agent_id: id }, body: description });
  return client.ask(agentRoutes.registerAgent, { body: { id, namespace, ...description } });
}

interface Rehearsal {
  readonly options: RegisterOptions;
  readonly output: Output;
}

async function rehearse(client: ControlClient, id: string, { options, output }: Rehearsal): Promise<Outcome> {
  const found = await findAgent(client, id);
  const isRegistered = found !== null && found.registered_at !== null;
  const namespace = options.namespace ?? found?.namespace ?? null;
  const isPossible = !isRegistered && namespace !== null;
  const known =
    namespace === null
      ? `agent ${id} was never seen: name its namespace with --namespace`
      : `this would register agent ${id} in namespace ${namespace}`;
  const what = isRegistered ? `agent ${id} is registered already, in namespace ${found.namespace}` : known;
  output.result({
    text: `dry run  nothing was changed; ${what}\n`,
    schema: SCHEMA,
    json: { dry_run: true, would_change: isPossible, agent: found },
  });
  return isPossible ? "ok" : "failed";
}

/** Null: nobody registered it, and it was never seen. */
async function findAgent(client: ControlClient, id: string) {
  try {
    return (await client.ask(agentRoutes.getAgent, { params: { agent_id: id } })).body;
  } catch (fault) {
    if (fault instanceof CommandFailure && fault.exitCode === EXIT_CODES.failed) return null;
    throw fault;
  }
}
