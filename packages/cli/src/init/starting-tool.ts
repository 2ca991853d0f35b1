/** What is known of a tool that a new policy is to govern. */
export interface StartingTool {
  readonly name: string;
  readonly effect: ToolEffect;
  /** Arguments with whose values an approval also holds for later calls; absent: for one call. */
  readonly covers?: readonly string[];
}

/**
 * What a tool does, by the word of its server, of the user or of a starter policy. `unmarked`: nobody said.
 * Only `reads` runs without a person. `denied`: no agent needs it.
 */
export type ToolEffect = (typeof TOOL_EFFECTS)[number];
export const TOOL_EFFECTS = ["reads", "changes", "destroys", "unmarked", "denied"] as const;

/** Most tools of one new policy, as count: a person is to read it. */
export const MAX_TOOLS = 500;

/** The names of the tools that do one thing, in their order. */
export function namesOf(tools: readonly StartingTool[], effect: ToolEffect): readonly string[] {
  return tools.filter((tool) => tool.effect === effect).map(({ name }) => name);
}
