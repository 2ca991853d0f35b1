type Environment = Readonly<Record<string, string | undefined>>;

/** What of a runtime says whether its `fetch` reads proxies from the environment. */
export interface Runtime {
  readonly Bun?: unknown;
  readonly Deno?: unknown;
  readonly process?: { readonly execArgv?: readonly string[] } | undefined;
}

/** Node reads proxies only where it is told to. */
const NODE_SWITCH = "--use-env-proxy";

/** As runtimes look them up. The first that is set counts. */
const PROXY_VARIABLES = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] as const;

/** Where the `fetch` of Node, and the package undici, keep what carries their requests. */
const DISPATCHERS = [Symbol.for("undici.globalDispatcher.1"), Symbol.for("undici.globalDispatcher.2")];

/**
 * A proxy that carries plain HTTP can answer in place of the gateway, and `fetch` has no way around it.
 * With HTTPS it only carries bytes, so it decides nothing.
 * @throws TypeError that names the variable and the ways out
 */
export function refuseDecidingProxy(baseUrl: string, environment: Environment, runtime: Runtime): void {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol !== "http:" || !readsProxies(environment, runtime)) return;
  const variable = PROXY_VARIABLES.find((name) => (environment[name] ?? "") !== "");
  if (variable === undefined || isExcepted(hostname, environment)) return;
  throw new TypeError(
    `${variable}: expected no proxy before the gateway, because it could decide in its place. ` +
      `Add ${hostname} to NO_PROXY, or use https://`,
  );
}

/**
 * Whether a proxy carries the next question to the gateway: Node lets a program set one at any time.
 * @returns what to do about it, or null
 */
export function hintOfProxy(baseUrl: string, environment: Environment, global: object): string | null {
  const carrier = carrierOf(global);
  if (carrier === "") return null;
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol !== "http:") return null;
  const isOfEnvironment = carrier === "EnvHttpProxyAgent";
  if (isOfEnvironment && isExcepted(hostname, environment)) return null;
  const fix = isOfEnvironment ? `Add ${hostname} to NO_PROXY, or use https://` : "Use https://";
  return `A proxy carries the requests of this process, and could decide in place of the gateway. ${fix}`;
}

/** The class of the proxy that carries the requests of `fetch`; empty where none does. */
function carrierOf(global: object): string {
  const set = DISPATCHERS.map((key) => (global as Readonly<Record<symbol, object | undefined>>)[key]);
  const names = set.map((each) => each?.constructor.name ?? "");
  return names.find((name) => name.includes("Proxy")) ?? "";
}

function readsProxies(environment: Environment, { Bun, Deno, process }: Runtime): boolean {
  if (Bun !== undefined || Deno !== undefined) return true;
  const { NODE_USE_ENV_PROXY = "", NODE_OPTIONS = "" } = environment;
  if (NODE_USE_ENV_PROXY !== "" && NODE_USE_ENV_PROXY !== "0") return true;
  const given = [...NODE_OPTIONS.split(/\s+/), ...(process?.execArgv ?? [])];
  return given.some((option) => isNodeSwitch(option));
}

/** Node takes `_` for `-`, quotes in NODE_OPTIONS, and a value behind `=`. */
function isNodeSwitch(option: string): boolean {
  const [name = ""] = option.replaceAll('"', "").replaceAll("_", "-").split("=");
  return name === NODE_SWITCH;
}

/** Runtimes differ in patterns, so only the name itself counts. The lower-case variable wins. */
function isExcepted(hostname: string, environment: Environment): boolean {
  const names = environment["no_proxy"] || environment["NO_PROXY"] || "";
  return names.split(",").some((name) => name.trim().toLowerCase() === hostname);
}
