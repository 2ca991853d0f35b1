import type { Action } from "../policy-test/read-mock-file.ts";
import { askingRules, MAX_STEPS, SECRETS_RULE } from "./render-policy.ts";
import { namesOf, type StartingTool } from "./starting-tool.ts";

/** The key of Amazon's own documentation: a detector finds it, and it opens nothing. */
const DOCUMENTED_KEY = "AKIAIOSFODNN7EXAMPLE";

/** Test cases that the new policy passes, with a line for each. */
export function renderCases(tools: readonly StartingTool[]): string {
  return `[\n${casesOf(tools)
    .map((action) => `  ${JSON.stringify(action)}`)
    .join(",\n")}\n]\n`;
}

function casesOf(tools: readonly StartingTool[]): readonly Action[] {
  const asking = askingRules(tools);
  const first = tools.find(({ effect }) => effect !== "denied");
  return [
    ...tools.map((tool) => toolCase(tool, asking.get(tool.name))),
    {
      name: "a tool that is not listed is denied",
      tool: unlisted(tools),
      expect: { decision: "deny", reason_code: "not_allowed" },
    },
    ...(first === undefined
      ? []
      : [
          {
            name: "a key in an argument is denied",
            tool: first.name,
            args: { text: DOCUMENTED_KEY },
            expect: { decision: "deny", rule_id: SECRETS_RULE },
          } as const,
        ]),
    ...loopCases(namesOf(tools, "reads")),
  ];
}

function toolCase({ name: tool, effect }: StartingTool, rule: string | undefined): Action {
  if (effect === "denied") {
    const expect = { decision: "deny", reason_code: "tool_denied" } as const;
    return { name: `${tool} is denied`, tool, args: {}, expect };
  }
  return rule === undefined
    ? { name: `${tool} runs`, tool, args: {}, expect: { decision: "allow" } }
    : { name: `${tool} asks a person`, tool, args: {}, expect: { decision: "pause", rule_id: rule } };
}

function loopCases([tool]: readonly string[]): readonly Action[] {
  if (tool === undefined) return [];
  const session = { session_id: "loop", tool, args: {} };
  return [
    {
      name: `a session has ${String(MAX_STEPS)} calls`,
      ...session,
      repeat: MAX_STEPS,
      expect: { decision: "allow" },
    },
    {
      name: "the call after them is denied",
      ...session,
      expect: { decision: "deny", reason_code: "max_steps" },
    },
  ];
}

function unlisted(tools: readonly StartingTool[]): string {
  const names = new Set(tools.map(({ name }) => name));
  let name = "not.listed";
  while (names.has(name)) name += "_";
  return name;
}
