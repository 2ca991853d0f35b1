/**
 * A trial of an installed hook, by `svc-cli hook status`. The exit code of a block does not say whether the
 * gateway decided, so a hook that is tried adds a line to stderr that does.
 */

/** Set to 1 for a hook that is tried. It changes no answer. */
export const TRIAL_VARIABLE = "SVC_HOOK_TRIAL";

/** Why a call was blocked. `held`: until its agent recovers. `unknown`: no verdict came. */
export type BlockCause = "denied" | "paused" | "held" | "unknown";

const MARK = "svc-cli hook trial: ";

const CAUSES: readonly BlockCause[] = ["denied", "paused", "held", "unknown"];

/** The reason as a hook writes it to stderr. */
export function withTrialMark(
  reason: string,
  cause: BlockCause,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  return environment[TRIAL_VARIABLE] === "1" ? `${reason}\n${MARK}${cause}` : reason;
}

/** The cause that a tried hook wrote. A hook that wrote none has no verdict. */
export function trialCause(stderr: string): BlockCause {
  const found = stderr
    .split("\n")
    .filter((line) => line.startsWith(MARK))
    .at(-1);
  return CAUSES.find((cause) => found === MARK + cause) ?? "unknown";
}
