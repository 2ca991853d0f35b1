import { digestOfText } from "@svc/text/digest-of";
import { isIdentifier } from "../fields/identifier.ts";

/** Hexadecimal digits that stand for a subject which is not an identifier. */
const DIGEST_LENGTH = 32;

/** Characters before the hexadecimal digits of a digest. */
const PREFIX = "sha256:".length;

/**
 * How rows, approvals and switches name a person: subject and issuer, which a provider never gives to anybody
 * else. No id of a key has an `@`, and no issuer has one, so the text after the last `@` is the issuer.
 */
export function personId(issuer: string, subject: string): string {
  const place = issuerPlace(issuer);
  const plain = `${subject}@${place}`;
  if (isIdentifier(plain)) return plain;
  const digest = digestOfText(JSON.stringify([issuer, subject])).slice(PREFIX, PREFIX + DIGEST_LENGTH);
  const short = `person_${digest}@${place}`;
  return isIdentifier(short) ? short : `person_${digest}@issuer`;
}

/** Whether a person goes by this name: the one in rows, or subject and issuer as the provider writes them. */
export function isPerson(name: string, issuer: string, subject: string): boolean {
  return name === personId(issuer, subject) || name === `${subject}@${issuerPlace(issuer)}`;
}

/** The issuer without its scheme. Two issuers of one server never have the same. */
export function issuerPlace(issuer: string): string {
  return issuer.replace(/^https?:\/\//, "").replace(/\/$/, "");
}
