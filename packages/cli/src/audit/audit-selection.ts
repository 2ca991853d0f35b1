import { CommandFailure } from "../frame/exit-code.ts";
import { type Stretch } from "../frame/parse-options.ts";

/** What `audit tail` selects. Lists are separated by commas. */
export interface SelectionOptions {
  readonly agent?: string;
  readonly session?: string;
  readonly tool?: string;
  readonly decision?: string;
  readonly kind?: string;
  readonly since?: string;
  readonly between?: Stretch;
}

type Query = Readonly<Record<string, string | undefined>>;

/** The query of a list of rows. @throws CommandFailure `usage` for two different times */
export function listQuery(options: SelectionOptions): Query {
  const { agent, session, tool, decision, kind, since, between } = options;
  if (since !== undefined && between !== undefined)
    throw new CommandFailure("usage", "expected --since or --between, found both");
  return {
    agent_id: agent,
    session_id: session,
    tool,
    decision,
    kind,
    since: between?.since ?? since,
    until: between?.until,
  };
}

/** The query of the event stream. It knows neither sessions nor tools: see `RowChoice`. */
export function streamQuery({ agent, decision, kind }: SelectionOptions): Query {
  return { agent_id: agent, decision, kind };
}

/** A misspelt name selects nothing, which must not look like an agent that did nothing. */
export function doubtName(agent: string | undefined): string {
  return agent === undefined ? "" : `: is the name ${agent} right? See svc-cli agents list`;
}
