import type { DetectorName } from "@svc/engine/detector";

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
