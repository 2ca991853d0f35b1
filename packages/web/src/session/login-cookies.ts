import type { HeadText } from "@svc/http-edge/request-head";
import { isLoopback } from "@svc/process/is-loopback";
import { newSecret, SESSION_MS } from "./login-sessions.ts";

/** `visit` holds a random value that ties a login form to its browser; `approver` holds the login. */
type CookieName = "visit" | "approver";

/** A random value, or what a process of the deployment has sealed. */
const VALUE = /^(?:[0-9a-f]{64}|v1\.[\w.-]{1,512})$/;

const MS_PER_S = 1_000;

/**
 * The cookies of the pages. No script reads them. A browser sends them when a link or a provider leads to a
 * page, but with no form of another site.
 */
export class LoginCookies {
  readonly #isSecure: boolean;

  /** @param publicUrl how browsers reach this server */
  constructor(publicUrl: string) {
    const { protocol, hostname } = new URL(publicUrl);
    // Off this machine a browser must not send a login in clear, also where somebody forgot https.
    this.#isSecure = protocol === "https:" || !isLoopback(hostname);
  }

  /** The value of a cookie that this page has set; null without one, and when it was sent twice. */
  read({ headers }: HeadText, name: CookieName): string | null {
    const wanted = this.#name(name);
    const pairs = (headers.cookie ?? "").split(";").map((pair) => pair.trim().split("="));
    const found = pairs.filter(([sent]) => sent === wanted);
    const value = found[0]?.[1] ?? "";
    return found.length === 1 && VALUE.test(value) ? value : null;
  }

  /** The value of `visit`, and the header that sets it where the browser has none yet. */
  visit(request: HeadText): { readonly value: string; readonly set: readonly string[] } {
    const known = this.read(request, "visit");
    return known === null ? this.renewVisit(request) : { value: known, set: [] };
  }

  /** The same, for a login that begins now: the cookie lasts as long as somebody may take for it. */
  renewVisit(request: HeadText): { readonly value: string; readonly set: readonly string[] } {
    const value = this.read(request, "visit") ?? newSecret();
    return { value, set: [this.#set("visit", value)] };
  }

  /** @param lifeMs of the login */
  begin(value: string, lifeMs: number): string {
    return this.#set("approver", value, lifeMs);
  }

  end(): string {
    return `${this.#set("approver", "")}; Max-Age=0`;
  }

  /** With the prefix a browser takes the cookie from this host and over TLS alone. */
  #name(name: CookieName): string {
    return this.#isSecure ? `__Host-svc_${name}` : `svc_${name}`;
  }

  #set(name: CookieName, value: string, lifeMs: number = SESSION_MS): string {
    const secure = this.#isSecure ? "; Secure" : "";
    const life = value === "" ? "" : `; Max-Age=${String(Math.floor(lifeMs / MS_PER_S))}`;
    return `${this.#name(name)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${life}`;
  }
}
