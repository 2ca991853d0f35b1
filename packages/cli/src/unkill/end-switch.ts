import { gatewayListRoutes } from "@svc/api/gateway-list-routes";
import { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { actorOf, type ChangeOptions, reasonOf } from "../connection/change-options.ts";
import { changeRowLine } from "../connection/change-row.ts";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { sayWhatIsKnown, whileWaiting } from "../connection/say-what-is-known.ts";
import { addressWords } from "../connection/server-options.ts";
import { commandText } from "../frame/command-text.ts";
import { counted } from "../frame/counted.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output } from "../frame/output.ts";
import { renderTable } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import { spanText } from "../frame/time-left.ts";
import { acknowledgementText, areAllThere } from "../kill/acknowledgement-text.ts";
import { confirmReach, reachText } from "../kill/confirm-reach.ts";
import {
  findSwitchRow,
  type RecentCalls,
  readRecentCalls,
  type SwitchTarget,
  targetText,
} from "../kill/switch-facts.ts";

export type UnkillOptions = ChangeOptions;

type KillSwitch = JsonAnswerOf<typeof killSwitchRoutes.getKillSwitch>["body"];

const WORDS = {
  nothing: "Nothing was changed",
  unknown: "It is not known whether the switch has ended",
  look: "Look with svc-cli kill list, or end it once more, which changes nothing where it has ended.",
};

const SCHEMA = "svc.cli.unkill/v1";

/** Milliseconds that calls are looked for after the end. */
const LOOK_MS = 1_000;

/** Milliseconds of calls that say whether somebody still calls. */
const BEFORE_MS = 60_000;

/** Ends a switch, and says which gateways let its calls go on. */
export async function endSwitch(id: string, options: UnkillOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const connection = await resolveConnection(options, terminal);
  const client = new ControlClient(connection);
  if (options.dryRun) return showEnd(id, client, output);
  const params = { kill_switch_id: id };
  const body = { reason: reasonOf(options), deactivated_by: actorOf(options, terminal) };
  if (!options.yes) await confirmEnd(await readSwitch(id, client), terminal);
  const asked = client.ask(killSwitchRoutes.deactivateKillSwitch, { params, body });
  const waiting = whileWaiting(asked, connection, { output, soFar: "the switch may still stop its calls" });
  const { body: ended } = await sayWhatIsKnown(waiting, WORDS);
  const { gateways, note, ended_at, ended_by } = ended;
  const target = targetText(ended);
  const words = `${addressWords(options)} --reason "..."`;
  const undo = ended.account_wide
    ? `svc-cli kill global${words}`
    : commandText(`svc-cli kill ${ended.scope}`, ended.target_id ?? "", words);
  const endedMs = Date.parse(ended_at ?? "");
  const lookClient = new ControlClient(connection, AbortSignal.timeout(LOOK_MS));
  const [row, calls] = await Promise.all([
    findSwitchRow(connection, ended, "ended"),
    callsBefore(lookClient, ended, endedMs),
  ]);
  // Of a switch that ended before, no gateway is asked.
  const hadEnded = gateways === undefined;
  const isOfSwitch = ended.kill_switch_id === id && ended.status === "inactive";
  output.result({
    text: [
      headOf(isOfSwitch, hadEnded),
      `  ${ended.kill_switch_id} of ${target}, at ${ended_at ?? "?"} by ${ended_by ?? "?"}\n`,
      ...(gateways === undefined ? [] : acknowledgementText({ ...ended, gateways }, output)),
      ...(gateways === undefined ? [] : callsText(calls, endedMs)),
      changeRowLine(row),
      `undo      ${undo}\n`,
    ],
    schema: SCHEMA,
    json: { ...ended, had_ended: hadEnded, undo, audit_row: row.id, calls_before: calls },
  });
  // A switch that had ended before needs no confirmation.
  const isEnded = gateways === undefined || areAllThere({ gateways });
  return isOfSwitch && isEnded && note === undefined ? "ok" : "unreachable";
}

function headOf(isOfSwitch: boolean, hadEnded: boolean): Piece {
  if (!isOfSwitch) return { text: "UNKNOWN, because the server answers for", as: "bad" };
  return { text: hadEnded ? "had ended already" : "ended   ", as: "good" };
}

async function readSwitch(id: string, client: ControlClient): Promise<KillSwitch> {
  const asked = client.ask(killSwitchRoutes.getKillSwitch, { params: { kill_switch_id: id } });
  return (await sayWhatIsKnown(asked, { ...WORDS, unknown: WORDS.nothing, look: "" })).body;
}

async function confirmEnd(found: KillSwitch, terminal: Terminal): Promise<void> {
  if (found.status !== "active") return;
  const { kill_switch_id: id, activated_by: by, reason } = found;
  const what = `This ends ${id} (${by}: ${reason}), so that policies judge ${reachText(found)} again.`;
  await confirmReach({ target: found, what, nothing: WORDS.nothing }, { yes: false }, terminal);
}

/** Who ends a switch must know whether its target still calls: these calls go on at once. */
async function callsBefore(
  client: ControlClient,
  target: SwitchTarget,
  endMs: number,
): Promise<RecentCalls | null> {
  const moment = (ms: number): string => new Date(ms).toISOString();
  return Number.isNaN(endMs)
    ? null
    : readRecentCalls(client, target, { since: moment(endMs - BEFORE_MS), until: moment(endMs) });
}

function callsText(calls: RecentCalls | null, endMs: number): Piece[] {
  if (calls === null) return ["calls     not known\n"];
  if (calls.last_at === null) return ["calls     none in the minute before\n"];
  const seconds = (endMs - Date.parse(calls.last_at)) / 1_000;
  const age = seconds < 1 ? "just" : spanText(seconds);
  const count = calls.is_all ? counted(calls.calls, "call") : `${String(calls.calls)} or more calls`;
  return [
    { text: "STILL CALLING", as: "warning" },
    ` ${count} in the minute before, the last one ${age} before\n`,
  ];
}

/** Says what the end of a switch would let go on, and where. */
async function showEnd(id: string, client: ControlClient, output: Output): Promise<Outcome> {
  const found = await readSwitch(id, client);
  const { gateways: processes } = (await client.ask(gatewayListRoutes.listGateways)).body;
  const gateways = processes.filter(({ role }) => role !== "control");
  const rows = gateways.map(({ id: gateway, host, lag, last_seen_at }) => [
    gateway,
    host,
    lag === 0 ? "up to date" : `${String(lag)} changes behind`,
    last_seen_at,
  ]);
  const isActive = found.status === "active";
  const nowMs = Date.now();
  const calls = isActive ? callsText(await callsBefore(client, found, nowMs), nowMs) : [];
  output.result({
    text: [
      { text: "dry run ", as: "warning" },
      "  nothing was changed; ",
      isActive ? `policies would judge ${reachText(found)} again\n` : `${id} has ended already\n`,
      `reason    ${found.reason} (${found.activated_by}, since ${found.activated_at})\n`,
      ...calls,
      ...(isActive ? [renderTable(["GATEWAY", "HOST", "STATE", "LAST SEEN"], rows, output.isTerminal)] : []),
    ],
    schema: SCHEMA,
    json: { ...found, dry_run: true, gateways },
  });
  return "ok";
}
