import { setTimeout as delay } from "node:timers/promises";
import { ControlClient } from "../connection/control-client.ts";
import { type Connection, resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, EXIT_CODES, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { Screen } from "../frame/screen.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import { untilEnded } from "../frame/until-ended.ts";
import { type Part, partsOf, readStatus, type Status } from "./read-status.ts";
import { statusText } from "./status-text.ts";

export interface StatusOptions extends ServerOptions, OutputOptions {
  readonly watch: boolean;
}

/** Milliseconds that one look may take. */
const LOOK_MS = 8_000;

/** Milliseconds between two looks. */
const EVERY_MS = 2_000;

/** Shows the status once, or again and again. @throws CommandFailure */
export async function showStatus(options: StatusOptions, terminal: Terminal): Promise<Outcome> {
  const connection = await resolveConnection(options, terminal);
  if (options.watch) return watchStatus(connection, options, terminal);
  const status = await look(connection, AbortSignal.timeout(LOOK_MS));
  requireAnswer(status, connection);
  new Output(terminal, options).result(resultOf(status, statusText(status, Date.now())));
  return outcomeOf(status);
}

function look(connection: Connection, signal: AbortSignal): Promise<Status> {
  return readStatus(new ControlClient(connection, signal));
}

const resultOf = (status: Status, text: readonly Piece[]) =>
  ({ text, schema: "svc.cli.status/v2", json: status }) as const;

/**
 * Nothing is known: one reason holds for every part. Readiness needs no key, so a key that may read nothing
 * else is the wrong one.
 * @throws CommandFailure
 */
function requireAnswer(status: Status, { url, source }: Connection): void {
  const { server, gateways } = status;
  if (!server.known && isAway(status))
    throw new CommandFailure("unreachable", `nothing is known of ${url.origin} (${source}): ${server.why}`);
  const others = partsOf(status).slice(1);
  const isRefused = others.every((one) => !one.known && one.exitCode === EXIT_CODES.refused);
  if (isRefused && !gateways.known) throw new CommandFailure("refused", gateways.why);
}

/** Whether nothing could be read. */
function isAway(status: Status): boolean {
  return partsOf(status).every(({ known }) => !known);
}

function outcomeOf(status: Status): Outcome {
  const { server, gateways } = status;
  if (server.known && server.value.status !== "ready") return "failed";
  if (gateways.known && gateways.value.some(({ lease_ends_at: lease }) => lease === null)) return "failed";
  return partsOf(status).every((part) => part.known || isOfOthers(status, part)) ? "ok" : "unproven";
}

/** Whether this key reads everything else: some roles read neither alerts nor webhooks. */
function isOfOthers({ alerts, webhooks }: Status, part: Part<unknown>): boolean {
  return (part === alerts || part === webhooks) && !part.known && part.exitCode === EXIT_CODES.refused;
}

async function watchStatus(
  connection: Connection,
  options: StatusOptions,
  terminal: Terminal,
): Promise<Outcome> {
  if (options.output !== "pretty" && options.output !== "ndjson")
    throw new CommandFailure(
      "usage",
      `-w writes pretty or ndjson, because it goes on; found ${options.output}`,
    );
  const isPicture = options.output === "pretty" && !options.quiet && Screen.isPossible(terminal);
  const screen = isPicture ? new Screen(terminal, options) : null;
  const output = new Output(terminal, options);
  let last: { readonly status: Status; readonly atMs: number } | null = null;
  try {
    return await untilEnded(terminal, async (signal) => {
      for (;;) {
        const status = await look(connection, AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)]));
        const atMs = Date.now();
        const away = isAway(status);
        if (last === null) requireAnswer(status, connection);
        if (!away) last = { status, atMs };
        if (screen === null) output.result(resultOf(status, lineOf(status, atMs)));
        else screen.show(pictureOf(status, away ? last : null, atMs));
        await delay(EVERY_MS, undefined, { signal });
      }
    });
  } finally {
    screen?.close();
  }
}

/** The status now; while the server is away, the last one with its age. */
function pictureOf(
  status: Status,
  last: { readonly status: Status; readonly atMs: number } | null,
  nowMs: number,
): Piece[] {
  const time = `${new Date(nowMs).toISOString()}\n\n`;
  if (last === null) return [time, ...statusText(status, nowMs)];
  const why = status.server.known ? "" : status.server.why;
  const seconds = Math.round((nowMs - last.atMs) / 1_000);
  return [
    time,
    { text: "THE SERVER IS AWAY", as: "bad" },
    `: ${why}\nGateways enforce what they know, and deny every call when they cannot follow changes.\n` +
      `This is what was known ${String(seconds)} s ago:\n\n`,
    ...statusText(last.status, nowMs),
  ];
}

/** The status on one line, for a log. */
function lineOf(status: Status, nowMs: number): Piece[] {
  const parts = statusLines(status);
  return [`${[new Date(nowMs).toISOString(), ...parts].join("\t")}\n`];
}

function statusLines(status: Status): string[] {
  const { server, gateways, kill_switches, disabled_policies, agents, anomalies, approvals, decisions } =
    status;
  const count = (name: string, known: boolean, value: number): string =>
    `${name} ${known ? String(value) : "not known"}`;
  const sizeOf = (part: { known: boolean; value?: { readonly items: readonly unknown[] } }): number =>
    part.value?.items.length ?? 0;
  return [
    server.known ? server.value.status : "away",
    count("gateways", gateways.known, gateways.known ? gateways.value.length : 0),
    count("switches", kill_switches.known, sizeOf(kill_switches)),
    count("disabled policies", disabled_policies.known, sizeOf(disabled_policies)),
    count("raised agents", agents.known, sizeOf(agents)),
    count("anomalies", anomalies.known, anomalies.known ? anomalies.value.anomalies.length : 0),
    count("approvals", approvals.known, sizeOf(approvals)),
    count("denied", decisions.known, decisions.known ? decisions.value.deny : 0),
    count("of", decisions.known, decisions.known ? decisions.value.count : 0),
  ];
}
