/** A misspelt name selects nothing, which must not look like an agent that did nothing. */
export function doubtName(agent: string | undefined): string {
  return agent === undefined ? "" : `: is the name ${agent} right? See svc-cli agents list`;
}
