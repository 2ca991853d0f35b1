/** How names of the API are written in GraphQL. */

/** `agent_id` to `agentId`. */
export function camelCase(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
}

/** `agent_id` to `AgentId`. */
export function pascalCase(name: string): string {
  const [first = "", ...rest] = camelCase(name);
  return first.toUpperCase() + rest.join("");
}

/** `tools.allowed` to `TOOLS_ALLOWED`. */
export function enumCase(word: string): string {
  return word.replaceAll(/[^A-Za-z0-9]+/g, "_").toUpperCase();
}
