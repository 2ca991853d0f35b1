/** Scheme and user, then the hosts, then path and parameters. */
const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s;

/** Forms of `sslmode` that either encrypt or say that they do not; `allow` and `prefer` decide in silence. */
const SSL_MODES: ReadonlySet<string> = new Set(["disable", "require", "verify-ca", "verify-full"]);

const SSL_FILES = ["sslrootcert", "sslcert", "sslkey"] as const;

/**
 * Parameters that an address may have. Another one could ask for something that is not done, such as
 * `sslcrl`, or replace a limit of ours.
 */
const PARAMETERS: readonly string[] = [
  "host",
  "port",
  "options",
  "application_name",
  "sslmode",
  ...SSL_FILES,
];

/**
 * One address for each host of a PostgreSQL URL, which may name several: `postgres://a:5432,b:5433/svc`.
 * @throws an Error that says what was expected, as a noun phrase. It never repeats a value, because that may
 * be a password.
 */
export function databaseHosts(url: string): readonly [string, ...string[]] {
  const [, before = "", hosts, after = ""] = ADDRESS.exec(url) ?? [];
  if (hosts === undefined) throw new Error("a postgres:// address");
  const [first = "", ...others] = hosts.split(",");
  if (others.length > 0 && [first, ...others].includes(""))
    throw new Error("a postgres:// address with a name between all commas");
  return [oneHost(before + first + after), ...others.map((host) => oneHost(before + host + after))];
}

function oneHost(text: string): string {
  const url = URL.parse(text);
  if (url === null) throw new Error("a postgres:// address");
  requireKnownParameters(url.searchParams);
  requireTlsParameters(url.searchParams);
  return text;
}

function requireKnownParameters(parameters: URLSearchParams): void {
  const names = [...parameters.keys()];
  const unknown = names.find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined)
    throw new Error(
      `a postgres:// address without the parameter ${JSON.stringify(unknown)}, because it would not be ` +
        `obeyed; known are ${PARAMETERS.join(", ")}`,
    );
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  // Two readers could each obey another one of them.
  if (repeated !== undefined) throw new Error(`a postgres:// address that has ${repeated} once`);
  if (parameters.get("host")?.includes(",") === true)
    throw new Error(
      "a postgres:// address that lists its hosts before the path, and one host in a parameter",
    );
}

function requireTlsParameters(parameters: URLSearchParams): void {
  const mode = parameters.get("sslmode");
  const file = SSL_FILES.find((name) => parameters.has(name));
  if (mode === null && file !== undefined)
    throw new Error(`a postgres:// address with sslmode beside ${file}, such as sslmode=verify-full`);
  if (mode !== null && !SSL_MODES.has(mode))
    throw new Error("a postgres:// address whose sslmode is disable, require, verify-ca or verify-full");
  if (mode === "verify-ca" && !parameters.has("sslrootcert"))
    throw new Error("a postgres:// address with sslrootcert beside sslmode=verify-ca");
  if (parameters.has("sslcert") !== parameters.has("sslkey"))
    throw new Error("a postgres:// address with both sslcert and sslkey, or neither");
}

/** `host:port` of an address with one host, for messages. It leaves out user and password. */
export function hostName(url: string): string {
  const { host, searchParams } = new URL(url);
  const other = searchParams.get("host");
  return other === null ? host || "localhost" : `${other}:${searchParams.get("port") ?? "5432"}`;
}
