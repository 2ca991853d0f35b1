import { connectionString } from "./connection-string.ts";
import { creditCard } from "./credit-card.ts";
import { type Detector, type DetectorName, SECRET_DETECTORS, type Span } from "./detector.ts";
import { email } from "./email.ts";
import { genericApiKey } from "./generic-api-key.ts";
import { iban } from "./iban.ts";
import { phone } from "./phone.ts";
import { awsKey, githubToken, jwt, privateKey } from "./secrets.ts";
import { urlPassword } from "./url-password.ts";
import { usSsn } from "./us-ssn.ts";

const DETECTORS: { readonly [name in DetectorName]: Detector } = {
  "pii.email": email,
  "pii.phone": phone,
  "pii.credit_card": creditCard,
  "pii.iban": iban,
  "pii.us_ssn": usSsn,
  "secret.aws_key": awsKey,
  "secret.github_token": githubToken,
  "secret.private_key": privateKey,
  "secret.jwt": jwt,
  "secret.generic_api_key": genericApiKey,
  "secret.url_password": urlPassword,
  "secret.connection_string": connectionString,
};

/** The shortest thing that any detector finds in characters: `a@b.cd`. Shorter texts are not searched. */
export const MIN_DETECTED_LENGTH = 6;

const NO_FINDINGS: readonly DetectorFinding[] = [];

/** A place where a detector found what it looks for. */
export interface Finding<Name extends string> extends Span {
  readonly detector: Name;
}

export type DetectorFinding = Finding<DetectorName>;

/** Looked up once: every row is looked at. */
const SECRET_LOOKS = SECRET_DETECTORS.map((name) => DETECTORS[name].mayContain);

/** Whether a detector of secrets may find something; false is certain, true is not. Cheap. */
export function mayDetectSecret(text: string): boolean {
  if (text.length < MIN_DETECTED_LENGTH) return false;
  for (const mayContain of SECRET_LOOKS) if (mayContain(text)) return true;
  return false;
}

/** Whether any of the detectors finds something in the text. */
export function detects(text: string, names: readonly DetectorName[]): boolean {
  if (text.length < MIN_DETECTED_LENGTH) return false;
  return names.some((name) => DETECTORS[name].mayContain(text) && DETECTORS[name].search(text)() !== null);
}

/** Every finding, by place. Findings of different detectors may overlap. */
export function detect(text: string, names: readonly DetectorName[]): readonly DetectorFinding[] {
  if (text.length < MIN_DETECTED_LENGTH) return NO_FINDINGS;
  const findings: DetectorFinding[] = [];
  for (const detector of names) {
    const { mayContain, search } = DETECTORS[detector];
    if (!mayContain(text)) continue;
    const next = search(text);
    for (let span = next(); span !== null; span = next())
      findings.push({ detector, start: span.start, end: span.end });
  }
  return byPlace(findings);
}

function byPlace<Name extends string>(findings: readonly Finding<Name>[]): readonly Finding<Name>[] {
  if (findings.length < 2) return findings;
  return findings.toSorted((left, right) => left.start - right.start || right.end - left.end);
}

/** What to write in place of a finding. */
export type Replacement<Name extends string = string> = (found: string, detector: Name) => string;

/**
 * The text with every finding replaced; the same string when there is none. Findings that overlap are
 * replaced as one, by what the first of them calls for.
 */
export function replaceDetected(
  text: string,
  names: readonly DetectorName[],
  replacement: string | Replacement<DetectorName>,
): string {
  const replace = typeof replacement === "string" ? () => replacement : replacement;
  return replaceFindings(text, detect(text, names), replace);
}

/** The text with the findings replaced, in any order and of any detector. */
export function replaceFindings<Name extends string>(
  text: string,
  findings: readonly Finding<Name>[],
  replace: Replacement<Name>,
): string {
  if (findings.length === 0) return text;
  let result = "";
  let done = 0;
  for (const { detector, start, end } of joinOverlaps(byPlace(findings))) {
    result += text.slice(done, start) + replace(text.slice(start, end), detector);
    done = end;
  }
  return result + text.slice(done);
}

function joinOverlaps<Name extends string>(findings: readonly Finding<Name>[]): Finding<Name>[] {
  const joined: Finding<Name>[] = [];
  for (const finding of findings) {
    const last = joined.at(-1);
    if (last === undefined || finding.start >= last.end) joined.push(finding);
    else if (finding.end > last.end) joined.splice(-1, 1, { ...last, end: finding.end });
  }
  return joined;
}
