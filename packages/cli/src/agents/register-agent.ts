import { agentRoutes } from "@svc/api/agent-routes";
import { supervisionRoutes } from "@svc/api/supervision-routes";
import type { Reregistered } from "@svc/contract/heartbeat";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { actorOf, type ChangeOptions, reasonOf } from "../connection/change-options.ts";
import { changeRowMember, findChangeRow, rowsBefore } from "../connection/change-row.ts";
import { ControlClient, everyPage } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changeWords, sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import { addressWords, type ServerOptions } from "../connection/server-options.ts";
import { commandText } from "../frame/command-text.ts";
import { CommandFailure, EXIT_CODES, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { shellWord } from "../frame/shell-word.ts";
import { type Member, renderMembers } from "../frame/tables.ts";
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

const REGISTER_SCHEMA = "svc.cli.register/v1";

/** Registers an agent, and says which gateways go by it. @throws CommandFailure */
export async function registerAgent(
  id: string,
  options: RegisterOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  if (options.dryRun) return rehearseRegister(client, id, { options, output });
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
    schema: REGISTER_SCHEMA,
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

interface RegisterRehearsal {
  readonly options: RegisterOptions;
  readonly output: Output;
}

async function rehearseRegister(
  client: ControlClient,
  id: string,
  { options, output }: RegisterRehearsal,
): Promise<Outcome> {
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
    schema: REGISTER_SCHEMA,
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

export interface UnregisterOptions extends ServerOptions, OutputOptions {
  readonly reason?: string;
  readonly dryRun: boolean;
}

const UNREGISTER_SCHEMA = "svc.cli.unregister/v1";

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
      schema: UNREGISTER_SCHEMA,
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
    schema: UNREGISTER_SCHEMA,
    json: { ...removed, undo, audit_row: row.id },
  });
  return isConfirmed(removed) ? "ok" : "unreachable";
}

export interface ReregisterOptions extends ChangeOptions {
  readonly session?: string;
  readonly endKillSwitch: boolean;
}

const REREGISTER_SCHEMA = "svc.cli.reregister/v1";

/** Ends the emergency of terminated sessions. @throws CommandFailure */
export async function reregisterAgent(
  id: string,
  options: ReregisterOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const output = new Output(terminal, options);
  const body = {
    session_id: options.session ?? null,
    reason: reasonOf(options),
    reregistered_by: actorOf(options, terminal),
    end_kill_switch: options.endKillSwitch,
  };
  const client = new ControlClient(await resolveConnection(options, terminal));
  const params = { agent_id: id };
  if (options.dryRun) return rehearseReregister(client, id, { output, session: options.session });
  const query = { agent_id: id, kind: "agent" };
  const known = await rowsBefore(client, query);
  const done: Reregistered[] = [];
  do {
    const asked = client.ask(supervisionRoutes.reregisterAgent, { params, body });
    done.push((await sayWhatIsKnown(asked, changeWords(commandText("svc-cli agents show", id)))).body);
    // The server takes some of them at once.
  } while (done.at(-1)?.remaining === true && options.session === undefined);
  const sessions = done.flatMap(({ session_ids }) => session_ids);
  const ended = done.flatMap(({ ended_kill_switches }) => ended_kill_switches);
  const active = done.flatMap(({ active_kill_switches }) => active_kill_switches);
  const row = await findChangeRow(client, query, ({ action }) => action === "reregistered", known);
  const still = active.map((name) => `svc-cli unkill ${name}${addressWords(options)} --reason "..."`);
  const members: Member[] = [
    ["done", `agent ${id}: ${namesOf(sessions)} may call again after the next heartbeat`, "good"],
    ["ended", ended.length === 0 ? "no kill switch" : ended.join(", ")],
    ...(active.length === 0 ? [] : [["STILL STOPPED", still.join("\n"), "warning"] as const]),
    ["undo", commandText("svc-cli kill agent", id, `${addressWords(options)} --reason "..."`)],
    ...changeRowMember(row),
  ];
  output.result({
    text: renderMembers(members),
    schema: REREGISTER_SCHEMA,
    json: {
      agent_id: id,
      session_ids: sessions,
      ended_kill_switches: ended,
      active_kill_switches: active,
      audit_row: row.id,
    },
  });
  return "ok";
}

interface ReregisterRehearsal {
  readonly output: Output;
  readonly session: string | undefined;
}

async function rehearseReregister(
  client: ControlClient,
  id: string,
  { output, session }: ReregisterRehearsal,
): Promise<Outcome> {
  const terminated: string[] = [];
  const limit = String(MAX_PAGE_SIZE);
  for await (const page of everyPage((cursor) =>
    client.ask(supervisionRoutes.getAgentHealth, { params: { agent_id: id }, query: { limit, cursor } }),
  ))
    for (const { severity, session_id: found } of page.sessions)
      if (severity === "EMERGENCY" && found !== null && (session ?? found) === found) terminated.push(found);
  const what =
    terminated.length === 0 ? "no session is terminated" : `this would register ${namesOf(terminated)} again`;
  output.result({
    text: `dry run  nothing was changed; agent ${id}: ${what}\n`,
    schema: REREGISTER_SCHEMA,
    json: { dry_run: true, agent_id: id, session_ids: terminated },
  });
  return terminated.length === 0 ? "failed" : "ok";
}

/** Names that are shown, as count. */
const SHOWN_NAMES = 10;
function namesOf(sessions: readonly string[]): string {
  const left = sessions.length - SHOWN_NAMES;
  const more = left > 0 ? ` and ${String(left)} more` : "";
  const noun = sessions.length === 1 ? "session" : "sessions";
  return `${noun} ${sessions.slice(0, SHOWN_NAMES).join(", ")}${more}`;
}
