/** What detectors can be named in a policy. Closed list; `secret.*` also masks the audit log. */
export const DETECTOR_NAMES = [
  "pii.email",
  "pii.phone",
  "pii.credit_card",
  "pii.iban",
  "pii.us_ssn",
  "secret.aws_key",
  "secret.github_token",
  "secret.private_key",
  "secret.jwt",
  "secret.generic_api_key",
] as const;
export type DetectorName = (typeof DETECTOR_NAMES)[number];

export const SECRET_DETECTORS: readonly DetectorName[] = DETECTOR_NAMES.filter((name) =>
  name.startsWith("secret."),
);

/** A stretch of text in UTF-16 units; `end` is not part of it. Never empty. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds one kind of thing in text. Patterns are this project's own and linear: every repetition is bounded,
 * or ends where a character stands that it cannot contain, so no text makes a search quadratic.
 */
export interface Detector {
  /** Cheap and never wrongly false: when it is false, `find` finds nothing. */
  readonly mayContain: (text: string) => boolean;
  /** The first finding that starts at or after `from`; null when there is none. */
  readonly find: (text: string, from: number) => Span | null;
}

/** A detector of which one pattern says everything; the pattern must be global. */
export function patternDetector(pattern: RegExp, mayContain: (text: string) => boolean): Detector {
  return {
    mayContain,
    find: (text, from) => {
      pattern.lastIndex = from;
      const match = pattern.exec(text);
      return match === null ? null : { start: match.index, end: match.index + match[0].length };
    },
  };
}
