import { agentRoutes } from "@svc/api/agent-routes";
import { quarantineRoutes } from "@svc/api/quarantine-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { actorOf, type ChangeOptions, reasonOf } from "../connection/change-options.ts";
import { changeRowMember, findChangeRow, rowsBefore } from "../connection/change-row.ts";
import { ControlClient } from "../connection/control-client.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changeWords, sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import { addressWords } from "../connection/server-options.ts";
import { commandText } from "../frame/command-text.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output } from "../frame/output.ts";
import { type Member, renderMembers } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import { acknowledgementText, isConfirmed } from "../kill/acknowledgement-text.ts";

export interface QuarantineOptions extends ChangeOptions {
  /** In seconds. */
  readonly ttl?: number;
}

type Answer = JsonAnswerOf<typeof quarantineRoutes.quarantineAgent>["body"];
type Affected = Answer["affected"];

const QUARANTINE_SCHEMA = "svc.cli.quarantine/v1";

/** Puts an agent into quarantine, and says which gateways hold it there. @throws CommandFailure */
export async function quarantineAgent(
  id: string,
  options: QuarantineOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const output = new Output(terminal, options);
  const body = {
    reason: reasonOf(options),
    quarantined_by: actorOf(options, terminal),
    ttl_seconds: options.ttl ?? null,
    dry_run: options.dryRun,
  };
  const client = new ControlClient(await resolveConnection(options, terminal));
  const query = { agent_id: id, kind: "agent" };
  const known = await rowsBefore(client, query);
  const asked = client.ask(quarantineRoutes.quarantineAgent, { params: { agent_id: id }, body });
  const { body: answer } = await sayWhatIsKnown(asked, changeWords(commandText("svc-cli agents show", id)));
  if ((answer.kind === "dry_run") !== options.dryRun) throw otherKind(id);
  if (answer.kind === "dry_run") {
    const text: Piece[] = [
      { text: "dry run", as: "warning" },
      `  nothing was limited; agent ${id} would be held to read-only tools\n`,
      ...renderMembers(affectedMembers(answer.affected)),
      ...acknowledgementText(answer, output),
    ];
    output.result({ text, schema: QUARANTINE_SCHEMA, json: answer });
    return "ok";
  }
  const undo = commandText("svc-cli agents release", id, `${addressWords(options)} --reason "..."`);
  const row = await findChangeRow(
    client,
    query,
    ({ action }) => action === "quarantined" || action === "quarantine_extended",
    known,
  );
  output.result({
    text: [
      isConfirmed(answer)
        ? { text: "in quarantine", as: "good" }
        : { text: "NOT ENFORCED EVERYWHERE", as: "bad" },
      `  agent ${id} may call what its policy calls read-only\n`,
      ...renderMembers([
        ["ends", answer.quarantine?.expires_at ?? "when somebody releases it"],
        ...affectedMembers(answer.affected),
      ]),
      ...acknowledgementText(answer, output),
      ...renderMembers([["undo", undo], ...changeRowMember(row)]),
    ],
    schema: QUARANTINE_SCHEMA,
    json: { ...answer, undo, audit_row: row.id },
  });
  return isConfirmed(answer) ? "ok" : "unreachable";
}

/** An answer of the other kind says nothing of what was asked. */
function otherKind(id: string): RequestFailure {
  return new RequestFailure(
    "It is not known whether the agent is in quarantine: the server took a dry run for a change, or a " +
      `change for a dry run. Look with ${commandText("svc-cli agents show", id)}.`,
    { outcome: "unreachable", code: null, mayBeDone: true },
  );
}

function affectedMembers(affected: Affected): Member[] {
  if (affected === null) return [["affected", "not known"]];
  const more = affected.complete ? "" : " and perhaps others";
  const sessions = affected.sessions.length === 0 ? "none known" : affected.sessions.join(", ");
  return [["affected", `sessions: ${sessions}${more}`]];
}

const RELEASE_SCHEMA = "svc.cli.release/v1";

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
    output.result({ text, schema: RELEASE_SCHEMA, json: { changed: false, agent: before } });
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
    schema: RELEASE_SCHEMA,
    json: { changed: true, agent: answer, undo, audit_row: row.id },
  });
  return isConfirmed(answer) ? "ok" : "unreachable";
}
