import type { ControlClient } from "../connection/control-client.ts";
import { CommandFailure } from "../frame/exit-code.ts";
import { type HistoryEntry, readHistory } from "../rollout/read-history.ts";
import type { Policy } from "../rollout/read-policy.ts";
import type { RollbackOptions } from "./rollback-options.ts";

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
