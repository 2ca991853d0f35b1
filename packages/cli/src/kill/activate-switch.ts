import { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { addressWords } from "../connection/address-words.ts";
import { actorOf, type ChangeOptions, reasonOf } from "../connection/change-options.ts";
import { type ChangeRow, changeRowText } from "../connection/change-row.ts";
import { ControlClient } from "../connection/control-client.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import { whileWaiting } from "../connection/while-waiting.ts";
import { PROBE_AGENT } from "../doctor/probe.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import { acknowledgementText, areAllThere } from "./acknowledgement-text.ts";
import { confirmReach, type ReachQuestion, reachText } from "./confirm-reach.ts";
import { findSwitchRow } from "./switch-row.ts";

export type KillScope = "session" | "agent" | "tool" | "namespace" | "global";

export interface KillOptions extends ChangeOptions {
  readonly scope: KillScope;
  readonly id: string | null;
  /** In seconds. */
  readonly ttl?: number;
}

type Answer = JsonAnswerOf<typeof killSwitchRoutes.activateKillSwitch>["body"];
type Rehearsed = Extract<Answer, { readonly dry_run: true }>;
type Activated = Exclude<Answer, Rehearsed>;

/** Activates a switch, and says which gateways enforce it. */
export async function activateSwitch(options: KillOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  requireTarget(options);
  const body = {
    scope: options.scope,
    target_id: options.id,
    reason: reasonOf(options),
    activated_by: actorOf(options, terminal),
    dry_run: options.dryRun,
    ttl_seconds: options.ttl ?? null,
    auto_recovery: options.scope === "global" && options.ttl !== undefined,
  };
  if (!options.dryRun) await confirmReach(killQuestion(options), options, terminal);
  const connection = await resolveConnection(options, terminal);
  const asked = new ControlClient(connection).ask(killSwitchRoutes.activateKillSwitch, { body });
  const waiting = whileWaiting(asked, connection, { output, soFar: "nothing is confirmed" });
  const answer = await answered(waiting, options);
  if ("dry_run" in answer) {
    output.result({ text: rehearsalText(answer, output), schema: "svc.cli.kill/v1", json: answer });
    return areAllThere(answer) ? "ok" : "unreachable";
  }
  const undo = `svc-cli unkill ${answer.kill_switch_id}${addressWords(options)} --reason "..."`;
  const row = await findSwitchRow(connection, answer, "active");
  output.result({
    text: activationText(answer, { undo, row }, output),
    schema: "svc.cli.kill/v1",
    json: { ...answer, undo, audit_row: row.id },
  });
  return answer.enforced ? "ok" : "unreachable";
}

function killQuestion({ scope, id }: KillOptions): ReachQuestion {
  const target = { scope, target_id: id, account_wide: scope === "global" };
  const what = `This stops ${reachText(target)}, at every gateway.`;
  return { target, what, nothing: "Nothing was stopped" };
}

function requireTarget({ scope, id }: KillOptions): void {
  if (scope === "global" && id !== null)
    throw new CommandFailure("usage", `kill global stops every call, and takes no name; found ${id}`);
  if (scope !== "global" && id === null)
    throw new CommandFailure(
      "usage",
      `expected the name of the ${scope} to stop: svc-cli kill ${scope} <name>`,
    );
}

/** What is known when the server did not do as it was asked. */
async function answered(asked: Promise<{ readonly body: Answer }>, { dryRun }: KillOptions): Promise<Answer> {
  const nothing = "Nothing was stopped";
  const unknown = dryRun ? nothing : "It is not known whether the switch is active";
  try {
    return (await sayWhatIsKnown(asked, { nothing, unknown, look: dryRun ? "" : LOOK })).body;
  } catch (error) {
    if (!(error instanceof RequestFailure) || error.outcome !== "unreachable") throw error;
    throw error.saying(`${error.message} ${STILL_ENFORCED}`);
  }
}

const LOOK =
  "Look with svc-cli kill list, or activate it once more, which changes nothing where it is active.";
const STILL_ENFORCED =
  "Gateways enforce the switches that they know. Those that cannot follow changes deny every call after " +
  "their lease, and adapters deny every call that no gateway answers. Name another server with --url.";

function rehearsalText(answer: Rehearsed, output: Output): Piece[] {
  return [
    { text: "dry run", as: "warning" },
    `   nothing was stopped; this would stop ${reachText(answer)}\n`,
    ...affectedText(answer),
    ...acknowledgementText(answer, output),
  ];
}

interface Made {
  readonly undo: string;
  readonly row: ChangeRow;
}

function activationText(answer: Activated, { undo, row }: Made, output: Output): Piece[] {
  const { enforced, extended, kill_switch_id, stops, expires_at } = answer;
  const head: Piece = enforced
    ? { text: "stopped ", as: "good" }
    : { text: "NOT ENFORCED EVERYWHERE", as: "bad" };
  return [
    head,
    `  ${stops}\n`,
    `switch    ${kill_switch_id}${extended ? " (it was active, and ends later now)" : ""}\n`,
    `ends      ${expires_at ?? "when somebody ends it"}\n`,
    ...affectedText(answer),
    ...acknowledgementText(answer, output),
    `audit row ${changeRowText(row)}\n`,
    `undo      ${undo}\n`,
  ];
}

function affectedText({ affected, warning }: Pick<Activated & Rehearsed, "affected" | "warning">): Piece[] {
  const pieces: Piece[] =
    warning === undefined ? [] : [{ text: "warning ", as: "warning" }, `  ${warning}\n`];
  if (affected === null) return [...pieces, "affected  not known\n"];
  const names = (list: readonly string[]): string => {
    if (list.length === 0) return affected.complete ? "none" : "not known";
    return `${list.map(affectedName).join(", ")}${affected.complete ? "" : " and perhaps others"}`;
  };
  pieces.push(`affected  agents: ${names(affected.agents)}\n`);
  pieces.push(`          sessions: ${names(affected.sessions)}\n`);
  const { calls_per_hour: perHour, calls_in_flight: inFlight } = affected;
  if (perHour !== undefined) pieces.push(`          calls allowed in the last hour: ${rate(perHour)}\n`);
  if (inFlight !== undefined) pieces.push(`          of these without an outcome: ${count(inFlight)}\n`);
  return pieces;
}

/** The probe of svc-cli doctor has called, and is not an agent. */
function affectedName(name: string): string {
  return name === PROBE_AGENT ? `${name} (the probe of svc-cli doctor)` : name;
}

/** Minutes of the hour that is counted. */
const MINUTES = 60;

function rate(perHour: number | null): string {
  const perMinute = perHour === null ? "" : ` (${(perHour / MINUTES).toFixed(1)} a minute)`;
  return count(perHour) + perMinute;
}

function count(value: number | null | undefined): string {
  return value === null || value === undefined ? "not known" : String(value);
}
