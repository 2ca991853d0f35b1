import { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import { policyRoutes } from "@svc/api/policy-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { ControlClient, everyItem } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { renderTable } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";
import { enableText } from "../policies/move-policy.ts";
import { NEVER_SEEN, neverSeen, targetText } from "./switch-facts.ts";

export interface ListOptions extends ServerOptions, OutputOptions {
  readonly status: "active" | "inactive" | "all";
}

type KillSwitch = JsonAnswerOf<typeof killSwitchRoutes.listKillSwitches>["body"]["kill_switches"][number];

/** Lists the switches of the organization, page by page. @throws CommandFailure */
export async function listSwitches(options: ListOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  const { status } = options;
  const switches = await everyItem(
    (cursor) => client.ask(killSwitchRoutes.listKillSwitches, { query: { status, cursor } }),
    ({ kill_switches }) => kill_switches,
    (read) => output.progress(`${String(read)} switches read`),
  );
  const disabled = status === "inactive" ? [] : await disabledPolicies(client, output);
  const active = switches.filter((one) => one.status === "active");
  const unseen = await neverSeen(client, active);
  const rows = [...switches.map((one) => rowOf(one, unseen.has(one))), ...(disabled ?? []).map(disabledRow)];
  for (const one of unseen) output.warn(`${one.kill_switch_id} of ${targetText(one)}: ${NEVER_SEEN}`);
  output.result({
    text:
      rows.length === 0
        ? `no ${status === "all" ? "" : `${status} `}kill switches\n`
        : renderTable(HEADINGS, rows, output.isTerminal),
    schema: "svc.cli.kill-list/v1",
    json: {
      kill_switches: switches,
      disabled_policies: disabled,
      never_seen: [...unseen].map(({ kill_switch_id: id }) => id),
    },
    items: [...switches, ...(disabled ?? []).map((id) => ({ status: "disabled", policy_id: id }))],
  });
  return "ok";
}

/** The ids of policies that deny every call, as a switch does. Null, with a warning: they are not known. */
async function disabledPolicies(client: ControlClient, output: Output): Promise<readonly string[] | null> {
  const query = { enabled: "false", limit: String(MAX_PAGE_SIZE) };
  try {
    return await everyItem(
      (cursor) => client.ask(policyRoutes.listPolicies, { query: { ...query, cursor } }),
      ({ policies }) => policies.map(({ id }) => id),
    );
  } catch (fault) {
    if (!(fault instanceof CommandFailure)) throw fault;
    output.warn(`it is not known which policies are disabled: ${fault.message}`);
    return null;
  }
}

const HEADINGS = ["ID", "STATUS", "STOPS", "SINCE", "ENDS", "BY", "SOURCE", "REASON"];

function rowOf(one: KillSwitch, isUnseen: boolean): readonly string[] {
  const { ended_at, expires_at } = one;
  return [
    one.kill_switch_id,
    one.status,
    `${targetText(one)}${isUnseen ? ", never seen" : ""}`,
    one.activated_at,
    ended_at === null ? (expires_at ?? "never by itself") : `ended ${ended_at}`,
    one.activated_by,
    one.trigger_source,
    one.reason,
  ];
}

/** A disabled policy stops calls as a switch does. It has no id that could be ended. */
function disabledRow(id: string): readonly string[] {
  return ["", "disabled", `policy ${id}`, "", "never by itself", "", "policy", enableText(id)];
}
