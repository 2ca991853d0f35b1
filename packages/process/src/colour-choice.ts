export const COLOUR_CHOICES = ["auto", "always", "never"] as const;
export type ColourChoice = (typeof COLOUR_CHOICES)[number];

/** Where a program runs. */
interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Whether a stream gets colours: the option decides, then NO_COLOR and FORCE_COLOR (no-color.org,
 * force-color.org), then CLICOLOR=0, CI and TERM=dumb, then whether the stream is a terminal.
 */
export function usesColour(
  choice: ColourChoice,
  { environment }: Surroundings,
  isTerminal: boolean,
): boolean {
  if (choice !== "auto") return choice === "always";
  const { NO_COLOR: no = "", FORCE_COLOR: force = "", CLICOLOR: cli = "" } = environment;
  if (no !== "") return false;
  if (force !== "") return force !== "0" && force !== "false";
  return cli !== "0" && isTerminal && isLively({ environment });
}

/** Whether lines may replace themselves: never in a build, nor where the terminal knows no escapes. */
export function isLively({ environment }: Surroundings): boolean {
  const { TERM: term = "", CI: ci = "" } = environment;
  return term !== "dumb" && (ci === "" || ci === "false");
}
