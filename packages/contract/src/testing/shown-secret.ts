/** A whole API key: its id alone may be shown. */
const API_KEY = /svc_[A-Za-z0-9-]+_[A-Za-z0-9]{32,}/;

/** Variables whose values no program may print. */
const SECRET_VARIABLES = [
  "SVC_API_KEY",
  "SVC_BOOTSTRAP_API_KEY",
  "SVC_DATABASE_URL",
  "SVC_OIDC_CLIENT_SECRET",
  "SVC_SECRETS_KEY",
];

/** Values below this length stand in messages by chance. */
const SHORTEST = 12;

/** Says which secret an output shows, without the secret; null when it shows none. */
export function shownSecret(
  output: string,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  if (API_KEY.test(output)) return "a whole API key";
  for (const name of SECRET_VARIABLES) {
    const value = env[name] ?? "";
    const secret = name === "SVC_DATABASE_URL" ? passwordOf(value) : value;
    if (secret.length >= SHORTEST && output.includes(secret)) return `the value of ${name}`;
  }
  return null;
}

function passwordOf(address: string): string {
  return URL.parse(address)?.password ?? "";
}
