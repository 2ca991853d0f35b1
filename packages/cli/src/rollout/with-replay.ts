import { type Command, InvalidArgumentError } from "commander";

/** Recorded decisions that are decided again when nobody says how many, as count. */
const DEFAULT_REPLAY = 1_000;

/** Most recorded decisions that one command selects, as count: it reads the rows of all of them. */
const MAX_REPLAY = 10_000;

/** Adds how many recorded decisions are decided again. */
export function withReplay(command: Command): Command {
  return command.option(
    "--replay <count>",
    `how many of the last recorded decisions are decided again, 0 for none, at most ${String(MAX_REPLAY)}; ` +
      "with a key that may not read the audit log at least as many",
    replayCount,
    DEFAULT_REPLAY,
  );
}

function replayCount(text: string): number {
  const count = Number(text);
  if (!/^\d{1,5}$/.test(text) || count > MAX_REPLAY)
    throw new InvalidArgumentError(`expected a count from 0 to ${String(MAX_REPLAY)}.`);
  return count;
}
