import type { Principal } from "@svc/contract/principal";
import type { Problem } from "@svc/contract/problem";
import { refuseScope } from "@svc/contract/refuse-scope";
import type { Scope } from "@svc/contract/scope";
import { LOGIN_MS } from "@svc/control-plane/sign-in-person";
import type { Authenticate, Authentication } from "@svc/http-api/authentication";
import type { RequestHead } from "@svc/http-edge/request-head";
import type { MonotonicClock } from "@svc/process/clock";
import { LoginCookies } from "./login-cookies.ts";
import { LoginSessions, SESSION_MS } from "./login-sessions.ts";
import type { PageKey } from "./page-key.ts";

export interface VisitorsParts {
  /** Accepts every request while authentication is off; null while it is on. */
  readonly everybody: Authenticate | null;
  /** Authenticates by the text of an API key, and limits guesses. */
  readonly login: (request: RequestHead, key: string) => Authentication;
  /** Authenticates by the key of a person's login, which another process may have made a moment ago. */
  readonly person: (key: string) => Promise<Authentication>;
  readonly pageKey: PageKey;
  readonly clock: MonotonicClock;
  readonly publicUrl: string;
}

/** Who looks at a page, and the cookie that their forms are tied to. */
export interface Visitor {
  readonly principal: Principal;
  /** Why the key may not act any more; null while it may. */
  readonly refusal: () => Problem | null;
  readonly cookie: string;
  /** Headers `Set-Cookie` of the answer. */
  readonly set: readonly string[];
}

/** `stranger`: nobody who has signed in. `unknown`: that cannot be checked now. */
export type Visit =
  | { readonly kind: "visitor"; readonly visitor: Visitor }
  | { readonly kind: "stranger" }
  | { readonly kind: "unknown" };

export type SignIn =
  /** `set`: the header `Set-Cookie` that holds the login. */
  | { readonly kind: "signed_in"; readonly set: readonly string[] }
  /** The form was not shown to this browser, or too long ago. */
  | { readonly kind: "old_form" }
  | { readonly kind: "problem"; readonly problem: Problem };

const STRANGER: Visit = { kind: "stranger" };

const UNKNOWN: Visit = { kind: "unknown" };

/** What the key of a person's login is sealed for. */
const LOGIN_PLACE = ["login"];

/**
 * The logins of people in browsers: who they are, and that a form comes from a page that they were shown. The
 * cookie of a person whom a provider named holds the key of their login, sealed, so each process of the
 * deployment knows them. A login with an API key is known to one process.
 */
export class Visitors {
  readonly #parts: VisitorsParts;
  readonly #sessions: LoginSessions;
  readonly #cookies: LoginCookies;

  constructor(parts: VisitorsParts) {
    this.#parts = parts;
    this.#sessions = new LoginSessions(parts.clock);
    this.#cookies = new LoginCookies(parts.publicUrl);
  }

  /** Whether everybody who reaches this server is one and the same visitor. */
  get isOpen(): boolean {
    return this.#parts.everybody !== null;
  }

  async of(request: RequestHead): Promise<Visit> {
    const { everybody } = this.#parts;
    if (everybody !== null) {
      const { value: cookie, set } = this.#cookies.visit(request);
      return visitOf(everybody(request), { cookie, set });
    }
    const cookie = this.#cookies.read(request, "approver");
    if (cookie === null) return STRANGER;
    const key = this.#parts.pageKey.open(LOGIN_PLACE, cookie);
    if (key !== null) return visitOf(await this.#parts.person(key), { cookie, set: [] });
    const found = this.#sessions.find(cookie);
    switch (found.kind) {
      case "session":
        return { kind: "visitor", visitor: { ...found.session, cookie, set: [] } };
      case "unknown":
        return UNKNOWN;
      case "ended":
        return STRANGER;
    }
  }

  /** What a login form must carry, and the header `Set-Cookie` that ties it to its browser. */
  loginForm(request: RequestHead): { readonly token: string; readonly set: readonly string[] } {
    const { browser, set } = this.beginVisit(request);
    return { token: this.#parts.pageKey.token(browser, "login"), set };
  }

  /** The secret that ties a login to its browser, and the header `Set-Cookie` for it. */
  beginVisit(request: RequestHead): { readonly browser: string; readonly set: readonly string[] } {
    const { value: browser, set } = this.#cookies.renewVisit(request);
    return { browser, set };
  }

  /** Signs somebody in whose key has the scope. */
  signIn(request: RequestHead, form: { readonly key: string; readonly token: string }, scope: Scope): SignIn {
    const visit = this.#cookies.read(request, "visit");
    if (visit === null || !this.#parts.pageKey.isToken(form.token, visit, "login"))
      return { kind: "old_form" };
    const known = this.#parts.login(request, form.key.trim());
    if (known.kind === "problem") return known;
    const { principal, refusal } = known;
    const forbidden = refuseScope(principal, scope);
    if (forbidden !== null) return { kind: "problem", problem: forbidden };
    const secret = this.#sessions.begin({ principal, refusal });
    return { kind: "signed_in", set: [this.#cookies.begin(secret, SESSION_MS)] };
  }

  /** The secret that ties a login to the browser that began it; null: the browser has none. */
  browserOf(request: RequestHead): string | null {
    return this.#cookies.read(request, "visit");
  }

  /** Signs in the person with this key of their login. @returns the header `Set-Cookie` */
  beginLogin(key: string): readonly string[] {
    return [this.#cookies.begin(this.#parts.pageKey.seal(LOGIN_PLACE, key), LOGIN_MS)];
  }

  /** @returns the header `Set-Cookie` that ends the login in the browser, too */
  signOut({ cookie }: Visitor): readonly string[] {
    this.#sessions.end(cookie);
    return [this.#cookies.end()];
  }

  /** What a form of this visitor must carry. A token is for one person, and for one purpose. */
  token({ principal, cookie }: Visitor, purpose: string): string {
    return this.#parts.pageKey.token(cookie, purposeOf(principal, purpose));
  }

  isToken(sent: string, { principal, cookie }: Visitor, purpose: string): boolean {
    return this.#parts.pageKey.isToken(sent, cookie, purposeOf(principal, purpose));
  }
}

function visitOf(known: Authentication, { cookie, set }: Pick<Visitor, "cookie" | "set">): Visit {
  if (known.kind === "principal") return { kind: "visitor", visitor: { ...known, cookie, set } };
  return known.problem.code === "unavailable" ? UNKNOWN : STRANGER;
}

function purposeOf({ org, id }: Principal, purpose: string): string {
  return JSON.stringify([org, id, purpose]);
}
