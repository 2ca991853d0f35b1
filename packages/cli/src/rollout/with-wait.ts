import { type Command, Option } from "commander";
import { parseDuration } from "../frame/parse-duration.ts";

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
