import { canonicalJson } from "@svc/text/canonical-json";
import { type ReasonedOptions, reasonOr } from "../connection/change-options.ts";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changePieces, maskedChanges } from "../diff/change-pieces.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import { changeVersion } from "../rollout/change-version.ts";
import {
  type HistoryEntry,
  modeOf,
  type Policy,
  readHistory,
  readPolicy,
  readVersion,
} from "../rollout/read-policy.ts";
import type { VersionDraft } from "../rollout/store-version.ts";

const SCHEMA = "svc.cli.rollback/v1";

/** Stores the content of an earlier version as the next one, and waits until every gateway decides by it. */
export async function rollBack(id: string, options: RollbackOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const why = reasonOr("svc-cli rollback", options);
  const connection = await resolveConnection(options, terminal);
  const client = new ControlClient(connection);
  const latest = await readPolicy(client, id);
  const to = await chooseVersion(client, latest, options);
  const { document: value } = await readVersion(client, id, to);
  const changes = maskedChanges(latest.document, value);
  const json = { policy_id: id, version_before: latest.version, rolled_back_to: to, changes };
  if (canonicalJson(latest.document) === canonicalJson(value)) {
    const text = `${id} says the same in version ${String(to)} as now: nothing was changed\n`;
    output.result({ text, schema: SCHEMA, json: { ...json, stored: false } });
    return "ok";
  }
  const draft: VersionDraft = {
    id,
    base: latest.version,
    value,
    from: { kind: "version", version: to },
    why,
  };
  const change = {
    draft,
    plan: planPieces(draft, to, changePieces(changes)),
    intent: `roll policy ${id} back to version ${String(to)}`,
    done: "rolled back",
    schema: SCHEMA,
    json,
  } as const;
  return changeVersion(change, { connection, client, output, options, terminal });
}

function planPieces({ id, base, value }: VersionDraft, to: number, changes: readonly Piece[]): Piece[] {
  const before = base ?? 0;
  const place = `version ${String(before + 1)} with the content of version ${String(to)}`;
  return [
    { text: id, as: "strong" },
    `: ${place} in place of ${String(before)}, ${modeOf(value)}\n`,
    ...(changes.length === 0 ? ["only comments, formatting or defaults differ\n"] : changes),
  ];
}

/** Milliseconds that a version was in force before it counts as good. */
const GOOD_AFTER_MS = 3_600_000;
type Choice = Pick<RollbackOptions, "to" | "lastGood">;

/**
 * The version whose content comes back: the one that is named, the last good one, or the one before the
 * latest. @throws CommandFailure `failed` without such a version
 */
export async function chooseVersion(
  client: Pick<ControlClient, "ask">,
  { id, version: latest }: Pick<Policy, "id" | "version">,
  { to, lastGood }: Choice,
): Promise<number> {
  if (to !== undefined && lastGood)
    throw new CommandFailure("usage", "expected one of --to and --last-good, found 2");
  if (to !== undefined && to >= latest)
    throw new CommandFailure(
      "failed",
      `--to: expected a version before ${String(latest)}, the latest one of ${id}, found ${String(to)}`,
    );
  if (to !== undefined) return to;
  if (latest === 1) throw new CommandFailure("failed", `policy ${id} has one version, and none before it`);
  return lastGood ? newestGood(client, id) : latest - 1;
}

/** The newest version before the latest that was in force for an hour, and that nobody rolled back from. */
async function newestGood(client: Pick<ControlClient, "ask">, id: string): Promise<number> {
  let successor: HistoryEntry | null = null;
  for await (const entry of readHistory(client, id)) {
    if (successor !== null && isGood(entry, successor)) return entry.version;
    successor = entry;
  }
  throw new CommandFailure(
    "failed",
    `no earlier version of policy ${id} was in force for an hour without a rollback after it: look with ` +
      `svc-cli policies versions ${id}, and name one with --to`,
  );
}

function isGood(
  { created_at: since }: HistoryEntry,
  { created_at: until, rolled_back_to }: HistoryEntry,
): boolean {
  return rolled_back_to === null && Date.parse(until) - Date.parse(since) >= GOOD_AFTER_MS;
}

export interface RollbackOptions extends ReasonedOptions {
  /** The version whose content comes back. */
  readonly to?: number;
  readonly lastGood: boolean;
  /** In seconds. */
  readonly wait: number;
}
