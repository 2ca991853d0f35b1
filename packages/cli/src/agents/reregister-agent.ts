import { supervisionRoutes } from "@svc/api/supervision-routes";
import type { Reregistered } from "@svc/contract/heartbeat";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { addressWords } from "../connection/address-words.ts";
import { actorOf, type ChangeOptions, reasonOf } from "../connection/change-options.ts";
import { changeRowMember, findChangeRow, rowsBefore } from "../connection/change-row.ts";
import { ControlClient } from "../connection/control-client.ts";
import { everyPage } from "../connection/every-page.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changeWords, sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import { commandText } from "../frame/command-text.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output } from "../frame/output.ts";
import { type Member, renderMembers } from "../frame/render-members.ts";
import type { Terminal } from "../frame/terminal.ts";

export interface ReregisterOptions extends ChangeOptions {
  readonly session?: string;
  readonly endKillSwitch: boolean;
}

const SCHEMA = "svc.cli.reregister/v1";

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
  if (options.dryRun) return rehearse(client, id, { output, session: options.session });
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
    schema: SCHEMA,
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

interface Rehearsal {
  readonly output: Output;
  readonly session: string | undefined;
}

async function rehearse(client: ControlClient, id: string, { output, session }: Rehearsal): Promise<Outcome> {
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
    schema: SCHEMA,
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
