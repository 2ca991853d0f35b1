import type { SeenArguments } from "./seen-arguments.ts";

/** Whose calls a proposal is about. */
export interface SurveyScope {
  readonly org: string;
  readonly agentId: string | null;
  readonly namespace: string | null;
  readonly since: string;
  readonly until: string;
  readonly showsArguments: boolean;
}

/** What is known about one tool that ran. */
export interface SeenTool {
  calls: number;
  lastUse: string;
  /** Whether a list must name the tool, because no rule allows all of its calls. */
  needsEntry: boolean;
  readonly seen: SeenArguments;
}
