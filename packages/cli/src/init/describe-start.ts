import { join } from "node:path";
import { shellWord } from "../frame/shell-word.ts";
import type { NewFile } from "./create-files.ts";
import { packageOf, type Starter } from "./starters/starter.ts";
import { namesOf, type StartingTool, TOOL_EFFECTS, type ToolEffect } from "./starting-tool.ts";

interface Start {
  readonly agent: string;
  readonly tools: readonly StartingTool[];
  readonly files: readonly NewFile[];
  /** Whether an MCP server said what its tools do. */
  readonly fromServer: boolean;
  /** The starter policy that says it; null: none. */
  readonly starter: Starter | null;
  /** One that would know the tools, and was not asked for; null: none. */
  readonly offered: Starter | null;
}

/** Most names that are shown of tools that ask; the files have all of them. */
const MAX_NAMED = 8;

const EFFECT_TEXTS: Readonly<Record<ToolEffect, string>> = {
  reads: "run without a person",
  changes: "ask a person, as they change something",
  destroys: "ask a person, as they may destroy something",
  unmarked: "ask a person, as nobody said what they do",
  denied: "are denied",
};

/** What the new files will do, for people. */
export function describeStart({ agent, tools, files, fromServer, starter, offered }: Start): string {
  const lines = TOOL_EFFECTS.flatMap((effect) => {
    const names = namesOf(tools, effect);
    if (names.length === 0) return [];
    const most = effect === "reads" ? names.length : MAX_NAMED;
    const more = names.length > most ? ` and ${String(names.length - most)} more` : "";
    return [`  ${String(names.length)} ${EFFECT_TEXTS[effect]}: ${names.slice(0, most).join(", ")}${more}`];
  });
  const claim = fromServer && starter === null ? SERVER_CLAIM : "";
  const written =
    starter === null ? "" : `Starter policy ${starter.name}, from the tools of ${packageOf(starter)}.\n`;
  const offer =
    offered === null
      ? ""
      : `These look like the tools of ${packageOf(offered)}. A starter policy knows what they do: ` +
        `add --starter ${offered.name}\n`;
  return (
    `For agent ${agent}, of ${String(tools.length)} tools:\n${lines.join("\n")}\n` +
    `  every other tool is denied\n${claim}${written}${offer}` +
    `Files:\n${files.map(({ name }) => `  ${name}\n`).join("")}`
  );
}

const SERVER_CLAIM =
  "What a tool does is the claim of its server, which can be wrong.\nCheck what runs without a person.\n";

/** What to do with the new files, from where the command ran. */
export function nextCommands(
  folder: string,
  paths: { readonly policy: string; readonly cases: string },
): readonly string[] {
  const at = (path: string) => shellWord(join(folder, path));
  return [
    `svc-cli validate ${at("policies")} --strict`,
    `svc-cli test ${at(paths.policy)} --mock ${at(paths.cases)} --coverage`,
    `svc-cli deploy ${at(paths.policy)}`,
  ];
}
