import { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import type { JsonObject } from "@svc/text/json-value";
import { actorOf, type ChangeOptions, reasonOf } from "../connection/change-options.ts";
import { type ChangeRow, changeRowLine } from "../connection/change-row.ts";
import { ControlClient } from "../connection/control-client.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { type Connection, resolveConnection } from "../connection/resolve-connection.ts";
import { sayWhatIsKnown, whileWaiting } from "../connection/say-what-is-known.ts";
import { addressWords } from "../connection/server-options.ts";
import { PROBE_AGENT } from "../doctor/probe-seams.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import { askNotReady } from "../status/readiness-text.ts";
import {
  type Activated,
  type Answer,
  acknowledgementText,
  type Proof,
  proofOf,
  type Rehearsed,
} from "./acknowledgement-text.ts";
import { confirmReach, confirmUnseen, type ReachQuestion, reachText } from "./confirm-reach.ts";
import { findSwitchRow } from "./switch-facts.ts";

type KillScope = "session" | "agent" | "tool" | "namespace" | "global";

export interface KillOptions extends ChangeOptions {
  readonly scope: KillScope;
  readonly id: string | null;
  /** In seconds. */
  readonly ttl?: number;
  /** Whether the name may be one that no gateway has seen. */
  readonly expectUnseen: boolean;
}

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
  const connection = await resolveConnection(options, terminal);
  await confirmSwitch({ ...options, body }, connection, terminal);
  const asked = new ControlClient(connection).ask(killSwitchRoutes.activateKillSwitch, { body });
  const waiting = whileWaiting(asked, connection, { output, soFar: "nothing is confirmed" });
  const answer = await answered(waiting, options, connection);
  const proof = proofOf(answer, options);
  const outcome = outcomeOf(proof, answer, options);
  if (answer.kind === "dry_run") {
    const text = [...warningText(answer), ...rehearsalText(answer, { output, proof })];
    output.result({ text, schema: SCHEMA, json: { ...answer, state: proof.state } });
    return outcome;
  }
  const undo = `svc-cli unkill ${answer.kill_switch_id}${addressWords(options)} --reason "..."`;
  const row = await findSwitchRow(connection, answer, "active");
  output.result({
    text: [...warningText(answer), ...activationText(answer, { undo, row, proof }, output)],
    schema: SCHEMA,
    json: { ...answer, state: proof.state, undo, audit_row: row.id },
  });
  return outcome;
}

const SCHEMA = "svc.cli.kill/v1";

/** Asks what a person must say before calls are stopped. */
async function confirmSwitch(
  options: KillOptions & { readonly body: JsonObject },
  connection: Connection,
  terminal: Terminal,
): Promise<void> {
  if (options.dryRun) return;
  const question = killQuestion(options);
  await confirmUnseen(question, options, connection, terminal);
  await confirmReach(question, options, terminal);
}

/**
 * Confirmed and known: a success. A name that nobody has seen is most often misspelt, also where a person
 * said yes: only --expect-unseen calls it a success, at a terminal as in a script.
 */
function outcomeOf({ state }: Proof, { warning }: Answer, { expectUnseen }: KillOptions): Outcome {
  if (state !== "stopped") return "unreachable";
  return warning === undefined || expectUnseen ? "ok" : "unproven";
}

function killQuestion({ scope, id }: KillOptions): ReachQuestion {
  const target = { scope, target_id: id, account_wide: scope === "global" };
  const what = `This stops ${reachText(target)}, at every gateway.`;
  return { target, what, nothing: NOTHING };
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
async function answered(
  asked: Promise<{ readonly body: Answer }>,
  { dryRun }: KillOptions,
  connection: Connection,
): Promise<Answer> {
  const unknown = dryRun ? NOTHING : "UNKNOWN whether the switch is active";
  const words = { nothing: NOTHING, unknown, look: "" };
  try {
    return asAsked(
      await sayWhatIsKnown(
        asked.then(({ body }) => body),
        words,
      ),
      dryRun,
    );
  } catch (error) {
    if (!(error instanceof RequestFailure) || error.outcome !== "unreachable") throw error;
    const next = error.mayBeDone && !dryRun ? [LOOK] : [];
    const state = error.code === "unavailable" ? await askNotReady(connection) : null;
    const now = state === null ? [] : [`The server that was asked is ${state}.`];
    throw error.saying([error.message, ...now, STILL_ENFORCED, ANOTHER_SERVER, ...next].join("\n"));
  }
}

/** An answer of the other kind proves nothing. @throws RequestFailure */
function asAsked(answer: Answer, dryRun: boolean): Answer {
  if ((answer.kind === "dry_run") === dryRun) return answer;
  const facts = { outcome: "unreachable", code: null, mayBeDone: true } as const;
  if (answer.kind === "dry_run")
    throw new RequestFailure("UNKNOWN whether the switch is active: the server answered a dry run", facts);
  const undo = `svc-cli unkill ${answer.kill_switch_id} --reason "..."`;
  throw new RequestFailure(`The server answered a dry run with an active switch. End it: ${undo}`, facts);
}

const NOTHING = "NOT STOPPED by this command";
const STILL_ENFORCED =
  "Gateways enforce the switches that they know. Those that cannot follow changes deny every call after " +
  "their lease, and adapters deny every call that no gateway answers.";
const ANOTHER_SERVER = "Name another server with --url, and read RUNBOOK.md, The control plane is away.";
const LOOK =
  "Look with svc-cli kill list, or activate it once more, which changes nothing where it is active.";

interface Shown {
  readonly output: Output;
  readonly proof: Proof;
}

function rehearsalText(answer: Rehearsed, { output, proof }: Shown): Piece[] {
  return [
    { text: "dry run", as: "warning" },
    `   nothing was stopped; this would stop ${reachText(answer)}\n`,
    ...(proof.state === "stopped" ? [] : [{ text: "UNKNOWN  ", as: "bad" as const }, ` ${proof.why}\n`]),
    ...affectedText(answer),
    ...acknowledgementText(answer, output),
  ];
}

interface Made {
  readonly undo: string;
  readonly row: ChangeRow;
  readonly proof: Proof;
}

function activationText(answer: Activated, { undo, row, proof }: Made, output: Output): Piece[] {
  const { extended, kill_switch_id, stops, expires_at } = answer;
  return [
    HEADS[proof.state],
    `  ${proof.state === "stopped" ? stops : proof.why}\n`,
    `switch    ${kill_switch_id}${extended ? " (it was active, and ends later now)" : ""}\n`,
    `ends      ${expires_at ?? "when somebody ends it"}\n`,
    ...affectedText(answer),
    ...acknowledgementText(answer, output),
    changeRowLine(row),
    `undo      ${undo}\n`,
  ];
}

const HEADS: Readonly<Record<Proof["state"], Piece>> = {
  stopped: { text: "STOPPED    ", as: "good" },
  not_stopped: { text: "NOT STOPPED", as: "bad" },
  unknown: { text: "UNKNOWN    ", as: "bad" },
};

/** The first line, because a switch with a misspelt name stops nobody. */
function warningText({ warning, scope }: Answer): Piece[] {
  if (warning === undefined) return [];
  return [{ text: `WARNING: no such ${scope} seen.`, as: "bad" }, ` ${warning}\n`];
}

function affectedText({ affected }: Pick<Rehearsed, "affected">): Piece[] {
  if (affected === null) return ["affected  not known\n"];
  const names = (list: readonly string[]): string => {
    if (list.length === 0) return affected.complete ? "none" : "not known";
    return `${list.map(affectedName).join(", ")}${affected.complete ? "" : " and perhaps others"}`;
  };
  const pieces: Piece[] = [
    `affected  agents: ${names(affected.agents)}\n`,
    `          sessions: ${names(affected.sessions)}\n`,
  ];
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
