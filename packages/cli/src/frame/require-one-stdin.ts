import type { Command } from "commander";
import { CommandFailure } from "./exit-code.ts";
import { STDIN } from "./read-input.ts";

/** Arguments that are files. Elsewhere `-` is a name like any other. */
const FILES = new Set(["path", "file", "policy", "action", "before", "after"]);

/** Options, and the value by which each reads stdin. */
const OPTIONS: Readonly<Record<string, unknown>> = {
  "--api-key-stdin": true,
  "--edit-args": `@${STDIN}`,
  "--file": STDIN,
  "--pagerduty-file": STDIN,
  "--slack-file": STDIN,
  "--webhook-file": STDIN,
};

/**
 * What reads stdin first would get what was meant for the other one, such as a key as a policy.
 * @throws CommandFailure `usage`, before anything is read
 */
export function requireOneStdin(command: Command): void {
  const named = command.registeredArguments.flatMap((argument, at) => {
    if (!FILES.has(argument.name())) return [];
    const given = argument.variadic ? command.args.slice(at) : command.args.slice(at, at + 1);
    return given.filter((text) => text === STDIN).map(() => `<${argument.name()}> ${STDIN}`);
  });
  const chosen = command.options
    .filter((option) => {
      const value: unknown = command.getOptionValue(option.attributeName());
      return value !== undefined && value === OPTIONS[option.long ?? ""];
    })
    .map(({ flags, long }) => long ?? flags);
  const uses = [...named, ...chosen];
  if (uses.length < 2) return;
  throw new CommandFailure(
    "usage",
    `${uses.join(" and ")}: stdin can be only one of them. Write the other one to a file`,
  );
}
