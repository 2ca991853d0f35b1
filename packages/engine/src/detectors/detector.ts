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
  "secret.url_password",
  "secret.connection_string",
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

/** Gives the next finding, by place, each from the end of the one before; null when there are no more. */
export type Search = () => Span | null;

/**
 * Finds one kind of thing in text. Patterns are this project's own and linear: every repetition is bounded,
 * or ends where a character stands that it cannot contain. A search remembers what it has read ahead, so that
 * all findings together cost as much as reading the text a bounded number of times.
 */
export interface Detector {
  /** Cheap and never wrongly false: when it is false, a search finds nothing. */
  readonly mayContain: (text: string) => boolean;
  readonly search: (text: string) => Search;
}

/** A detector of which one pattern says everything; the pattern must be global. */
export function patternDetector(pattern: RegExp, mayContain: (text: string) => boolean): Detector {
  return { mayContain, search: (text) => patternSearch(pattern, text) };
}

/** Every match of a global pattern. */
export function patternSearch(pattern: RegExp, text: string): Search {
  let from = 0;
  return () => {
    // Set before every use: other searches with the same pattern may run between two findings of this one.
    pattern.lastIndex = from;
    const match = pattern.exec(text);
    from = match === null ? text.length : pattern.lastIndex;
    return match === null ? null : { start: match.index, end: from };
  };
}
