import { listValues } from "@svc/contract/list-values";
import { isName, NAME_EXPECTATION } from "@svc/contract/name";
import { CommandFailure } from "../frame/exit-code.ts";
import { MAX_TOOLS, type StartingTool } from "./starting-tool.ts";

/** Tools that the user names. Nobody says what they do. @throws CommandFailure `usage` */
export function namedTools(list: string): readonly StartingTool[] {
  const names = namesIn("--tools", list);
  if (names.length > MAX_TOOLS)
    throw new CommandFailure(
      "usage",
      `--tools: expected at most ${String(MAX_TOOLS)} tools, found ${String(names.length)}`,
    );
  return names.map((name) => ({ name, effect: "unmarked" }));
}

/** The tools, with those marked that only read by the word of the user. @throws CommandFailure `usage` */
export function withReadOnly(
  tools: readonly StartingTool[],
  list: string | undefined,
): readonly StartingTool[] {
  if (list === undefined) return tools;
  const reading = new Set(namesIn("--read-only", list));
  for (const name of reading)
    if (!tools.some((tool) => tool.name === name))
      throw new CommandFailure("usage", `--read-only: expected tools of the list, found ${name}`);
  return tools.map((tool) => (reading.has(tool.name) ? { name: tool.name, effect: "reads" } : tool));
}

function namesIn(option: string, list: string): readonly string[] {
  const names = listValues(list).map((name) => name.trim());
  for (const name of names)
    if (!isName(name))
      throw new CommandFailure(
        "usage",
        `${option}: expected names with commas between them (%2C in a name), each ${NAME_EXPECTATION}, ` +
          `found ${JSON.stringify(name)}`,
      );
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new CommandFailure("usage", `${option}: expected each name once, found ${twice} twice`);
  return names;
}
