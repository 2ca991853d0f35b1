import { type Command, InvalidArgumentError, Option } from "commander";
import { parseDuration } from "../frame/parse-options.ts";

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

/** Seconds in which gateways should follow: the server itself waits for five. */
const DEFAULT_WAIT_S = 30;

/** Adds how long gateways are waited for. */
export function withWait(command: Command): Command {
  return command.addOption(
    new Option("--wait <duration>", "how long to wait until every gateway has confirmed")
      .argParser(parseDuration)
      .default(DEFAULT_WAIT_S, `${String(DEFAULT_WAIT_S)}s`),
  );
}
