import type { Context } from "../connection/context-file.ts";
import type { Terminal } from "../frame/terminal.ts";

const OF_ADDRESS = ["SVC_URL"] as const;
const OF_KEY = ["SVC_API_KEY", "SVC_API_KEY_FILE"] as const;

/** Variables that are set, and win over the current context. */
export function overrulingVariables(context: Context, { environment }: Terminal): readonly string[] {
  const names = context.api_key_file === undefined ? OF_ADDRESS : [...OF_ADDRESS, ...OF_KEY];
  return names.filter((name) => (environment[name] ?? "") !== "");
}

/** What to do about them. */
export function overruledText(name: string, variables: readonly string[]): string {
  const [are, them] = variables.length === 1 ? ["is set and wins", "it"] : ["are set and win", "them"];
  return (
    `${variables.join(" and ")} ${are} over the current context. ` +
    `Unset ${them}, or name the context in each command: --context ${name}`
  );
}
