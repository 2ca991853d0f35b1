/** Scheme and user, then the hosts, then path and parameters. */
const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s;

/** Forms of `sslmode` that either encrypt or say that they do not; `allow` and `prefer` decide in silence. */
const SSL_MODES: ReadonlySet<string> = new Set(["disable", "require", "verify-ca", "verify-full"]);

/**
 * One address for each host of a PostgreSQL URL, which may name several: `postgres://a:5432,b:5433/svc`.
 * @throws an Error that says what was expected, as a noun phrase. It never repeats the text, because that may
 * hold a password.
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
  const mode = url.searchParams.get("sslmode");
  if (mode === null) return text;
  if (!SSL_MODES.has(mode))
    throw new Error("a postgres:// address whose sslmode is disable, require, verify-ca or verify-full");
  if (mode === "verify-ca" && url.searchParams.get("sslrootcert") === null)
    throw new Error("a postgres:// address with sslrootcert beside sslmode=verify-ca");
  // The modes mean what PostgreSQL's own clients mean by them.
  url.searchParams.set("uselibpqcompat", "true");
  return url.href;
}

/** `host:port` of an address with one host, for messages. It leaves out user and password. */
export function hostName(url: string): string {
  const { host, searchParams } = new URL(url);
  const socket = searchParams.get("host");
  return socket === null ? host || "localhost" : `${socket}:${searchParams.get("port") ?? "5432"}`;
}
