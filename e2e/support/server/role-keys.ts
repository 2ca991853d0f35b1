import { fullPaths } from "@svc/api/match-path";
import type { RouteDefinition } from "@svc/api/route";
import { ROUTES } from "@svc/api/route-table";
import { ROLE_SCOPES, ROLES, type Role } from "@svc/contract/role";
import type { Scope } from "@svc/contract/scope";
import { request } from "undici";

const SECRET = "Zx9".repeat(20);

/** The bootstrap key of the servers of tests. */
export const BOOTSTRAP_KEY = `svc_operator1_${SECRET}`;

/** Milliseconds until a store on a busy machine must have taken a key. */
const MADE_WITHIN_MS = 10_000;

/** Scopes that several roles have, and the holder who uses them in a deployment. */
const USUAL_HOLDER: Readonly<Partial<Record<Scope, Role>>> = {
  "approval:own": "approver",
  "approval:cancel": "operator",
  "approval:read": "approver",
};

/** The keys of one store, one per role, made when a request first needs it. */
interface RoleKeys {
  readonly byRole: Map<Role, Promise<string>>;
  /** Origins of running processes that make keys. */
  readonly makers: Set<string>;
}

/** Who sends the calls of a test. Only an adapter gives steps and cost back. */
export type Callers = "agent" | "adapter";

interface KnownServer {
  readonly keys: RoleKeys;
  readonly callers: Callers;
}

const keysOfStore = new Map<string, RoleKeys>();
const serverOfOrigin = new Map<string, KnownServer>();

interface StartedServer {
  readonly url: string;
  /** Names the data directory or the database: processes that share one know the same keys. */
  readonly store: string;
  readonly callers: Callers;
  /** A gateway without control endpoints makes none. */
  readonly makesKeys: boolean;
}

/** From now on requests to this server carry a key of the role that their route needs. */
export function rememberServer({ url, store, callers, makesKeys }: StartedServer): void {
  const { origin } = new URL(url);
  const keys = keysOfStore.get(store) ?? { byRole: new Map<Role, Promise<string>>(), makers: new Set() };
  keysOfStore.set(store, keys);
  serverOfOrigin.set(origin, { keys, callers });
  if (makesKeys) keys.makers.add(origin);
}

/** A server that has ended makes no keys. What it made holds for others of its store. */
export function forgetServer(url: string): void {
  const { origin } = new URL(url);
  serverOfOrigin.get(origin)?.keys.makers.delete(origin);
  serverOfOrigin.delete(origin);
}

/** Another way to a server that is known: through a proxy, or a link that can be cut. */
export function rememberWay(url: string, toServer: string): void {
  const server = knownServer(toServer);
  if (server !== undefined) serverOfOrigin.set(new URL(url).origin, server);
}

function knownServer(url: string): KnownServer | undefined {
  return URL.canParse(url) ? serverOfOrigin.get(new URL(url).origin) : undefined;
}

/** A key of this role at a server that `startServer` started; null at any other address. */
export async function keyOf(role: Role, url: string): Promise<string | null> {
  const keys = knownServer(url)?.keys;
  if (keys === undefined) return null;
  // Those before may have been killed.
  const maker = [...keys.makers].at(-1);
  const known = keys.byRole.get(role);
  if (known !== undefined) return known;
  if (maker === undefined) throw new Error(`no running process makes a key of role ${role} for ${url}`);
  const made = makeKey(maker, role);
  keys.byRole.set(role, made);
  return made;
}

/** Makes the keys of all roles, for a test that counts rows or breaks the store afterwards. */
export async function makeKeys(url: string): Promise<void> {
  await Promise.all(ROLES.map((role) => keyOf(role, url)));
}

/** How the audit log names that key. */
export async function keyIdOf(role: Role, url: string): Promise<string> {
  const [, id = ""] = (await keyOf(role, url))?.split("_") ?? [];
  return id;
}

/** A key that has no more scopes than this request needs, as its `Authorization`. */
export async function authorizationFor(method: string, url: string): Promise<Record<string, string>> {
  const role = roleFor(method, url);
  const key = role === null ? null : await keyOf(role, url);
  return key === null ? {} : { authorization: `Bearer ${key}` };
}

/** `fetch`, with a key as `send` has it. */
export async function fetchWithKey(url: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  const key = headers.has("authorization") ? {} : await authorizationFor(init.method ?? "GET", url);
  for (const [name, value] of Object.entries(key)) headers.set(name, value);
  return fetch(url, { ...init, headers });
}

/** The environment of a program that asks this server. */
export async function keyInEnvironment(role: Role, url: string): Promise<Record<string, string>> {
  const key = await keyOf(role, url);
  return key === null ? {} : { SVC_API_KEY: key };
}

/** Routes with fewer parameters first: a parameter can be any word. */
const PATTERNS = Object.values<RouteDefinition>(ROUTES)
  .flatMap(({ method, access, ...route }) => fullPaths(route).map((path) => ({ method, access, path })))
  .toSorted((one, other) => one.path.split("{").length - other.path.split("{").length)
  .map((each) => ({ ...each, pattern: new RegExp(`^${each.path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`) }));

/** Null: the route needs no key, or there is none of this path. */
function roleFor(method: string, url: string): Role | null {
  const { pathname } = new URL(url);
  const route = PATTERNS.find((each) => each.method === method && each.pattern.test(pathname));
  if (route === undefined) return "operator";
  const { access } = route;
  switch (access.kind) {
    case "anybody":
      return null;
    case "any_key":
      return "operator";
    case "scope":
      return holderOf(access.scope, url);
  }
}

function holderOf(scope: Scope, url: string): Role {
  if (scope === "call:execute" || scope === "outcome:own") return knownServer(url)?.callers ?? "agent";
  const usual = USUAL_HOLDER[scope];
  return usual ?? ROLES.find((role) => ROLE_SCOPES[role].includes(scope)) ?? "admin";
}

async function makeKey(origin: string, role: Role): Promise<string> {
  const deadlineMs = performance.now() + MADE_WITHIN_MS;
  for (;;) {
    const answer = await request(`${origin}/api/v1/keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${BOOTSTRAP_KEY}`, "content-type": "application/json" },
      body: JSON.stringify({ name: `tests, ${role}`, role }),
    });
    const body = (await answer.body.json()) as { readonly key?: string };
    if (body.key !== undefined) return body.key;
    // A store that is busy, or that has just begun, refuses for a moment.
    if (answer.statusCode !== 503 || performance.now() > deadlineMs)
      throw new Error(`no key of role ${role}: ${JSON.stringify(body)}`);
  }
}
