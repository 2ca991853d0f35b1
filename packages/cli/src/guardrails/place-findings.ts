import { detect, type Finding, replaceFindings } from "@svc/engine/detect";
import { DETECTOR_NAMES, type DetectorName } from "@svc/engine/detector";

/** What a detector found, without the text itself. Lines and columns begin with 1 and count UTF-16 units. */
export interface PlacedFinding {
  /** A built-in detector, or the name of a pattern of a guardrail. */
  readonly detector: string;
  readonly line: number;
  readonly column: number;
  readonly end_line: number;
  readonly end_column: number;
  /** UTF-16 units. */
  readonly length: number;
  /** The line where it begins, with everything masked that any detector finds. */
  readonly masked_line: string;
}

/** Longest part of a line that is shown, in UTF-16 units. */
const SHOWN_LENGTH = 200;

/** What was found in a text, by place, with its lines. */
export function placeFindings(text: string, findings: readonly Finding<string>[]): readonly PlacedFinding[] {
  if (findings.length === 0) return [];
  // What is not asked about may be a secret, too.
  const all = [...findings, ...detect(text, DETECTOR_NAMES)];
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const byLine = findingsByLine(all, starts);
  const masked = new Map<number, string>();
  return findings.map(({ detector, start, end }) => {
    const line = lineAt(starts, start);
    const endLine = lineAt(starts, end);
    const shown =
      masked.get(line) ?? maskedLine(text, rangeOf(starts, line, text.length), byLine.get(line) ?? []);
    masked.set(line, shown);
    return {
      detector,
      line: line + 1,
      column: start - (starts[line] ?? 0) + 1,
      end_line: endLine + 1,
      end_column: end - (starts[endLine] ?? 0) + 1,
      length: end - start,
      masked_line: shown,
    };
  });
}

function findingsByLine(
  findings: readonly Finding<string>[],
  starts: readonly number[],
): ReadonlyMap<number, readonly Finding<string>[]> {
  const byLine = new Map<number, Finding<string>[]>();
  for (const found of findings)
    for (let line = lineAt(starts, found.start); line <= lineAt(starts, found.end - 1); line += 1) {
      const there = byLine.get(line);
      if (there === undefined) byLine.set(line, [found]);
      else there.push(found);
    }
  return byLine;
}

/** The last line that begins at or before a place. */
function lineAt(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function rangeOf(starts: readonly number[], line: number, length: number): Range {
  const next = starts[line + 1];
  return { start: starts[line] ?? 0, end: next === undefined ? length : next - 1 };
}

function maskedLine(text: string, { start, end }: Range, there: readonly Finding<string>[]): string {
  const within = there.map(({ detector, ...found }) => ({
    detector,
    start: Math.max(found.start, start) - start,
    end: Math.min(found.end, end) - start,
  }));
  const masked = replaceFindings(text.slice(start, end), within, (_found, detector) => `[${detector}]`);
  return masked.length > SHOWN_LENGTH ? `${masked.slice(0, SHOWN_LENGTH)}...` : masked;
}

/** What each detector finds, for people. docs/POLICY.md says it exactly. */
export const DETECTOR_MEANINGS: Readonly<Record<DetectorName, string>> = {
  "pii.email": "e-mail addresses",
  "pii.phone": "telephone numbers",
  "pii.credit_card": "numbers of payment cards, with a valid check digit",
  "pii.iban": "international bank account numbers, with valid check digits",
  "pii.us_ssn": "social security numbers of the United States",
  "secret.aws_key": "access key ids of AWS",
  "secret.github_token": "tokens of GitHub",
  "secret.private_key": "private keys in PEM, OpenPGP and PuTTY form",
  "secret.jwt": "JSON Web Tokens",
  "secret.generic_api_key": "keys of known services, and values that are called a key, a token or a password",
  "secret.url_password": "passwords in addresses",
  "secret.connection_string": "passwords in connection strings of databases",
};
