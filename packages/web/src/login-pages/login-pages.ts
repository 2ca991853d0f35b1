import { problem } from "@svc/contract/problem";
import type { NoteRefusal } from "@svc/http-api/refusal-log";
import { splitTarget } from "@svc/http-api/split-target";
import { answerWith, refuseMethod, type WebApp, type WebContext, webApp } from "@svc/http-api/web-app";
import type { TrustedProxies } from "@svc/http-edge/connections/trusted-proxies";
import { networkOf } from "@svc/http-edge/network-of";
import { newRequestId } from "@svc/http-edge/request-id";
import type { MonotonicClock, WallClock } from "@svc/process/clock";
import { type Budget, TokenBuckets } from "@svc/process/token-buckets";
import { markText } from "../approval-pages/mark-text.ts";
import { html } from "../approval-pages/markup.ts";
import { notice, PAGE_HEADERS, renderPage } from "../approval-pages/page-shell.ts";
import { LoginAttempts } from "../session/login-attempts.ts";
import type { PageKey } from "../session/page-key.ts";
import type { Visitors } from "../session/visitors.ts";
import { isCliLogin } from "./cli-login.ts";
import type { LoginProviders } from "./login-providers.ts";

export interface LoginPagesParts {
  readonly visitors: Visitors;
  readonly providers: LoginProviders;
  readonly publicUrl: string;
  readonly noteRefusal: NoteRefusal;
  readonly trustedProxies: TrustedProxies;
  readonly clock: MonotonicClock & WallClock;
  readonly pageKey: PageKey;
}

/** Logins that one peer begins. Each can have the provider asked, and takes the place of another one. */
const PEER_BUDGET: Budget = { burst: 60, perSecond: 1 };

/** Most peers that are remembered, as count. */
const MAX_REMEMBERED = 10_000;

/** Longest query of a provider, in characters. A code has some hundred. */
const MAX_QUERY_LENGTH = 8_192;

/** Where a login can lead to: nowhere but to the pages of this server. */
const PAGE = /^\/(?:approvals(?:\/[A-Za-z0-9_][A-Za-z0-9_-]{0,127})?)$/;

const START = "/login/:provider{[0-9]}";
const CALLBACK = "/login/:provider{[0-9]}/callback";

const notGet = refuseMethod(["GET"]);

const FIRST_PAGE = "/approvals";

const OLD_LOGIN =
  "This login was not begun in this browser, or was begun over 10 minutes ago. " +
  "Nothing was done. Sign in again.";

/** The way of a browser to a provider and back. */
export function loginPages(parts: LoginPagesParts): WebApp {
  const attempts = new LoginAttempts(parts.pageKey, parts.clock);
  const peers = new TokenBuckets(PEER_BUDGET, parts.clock, MAX_REMEMBERED);
  const begin = async (c: WebContext): Promise<Response> => {
    const { incoming } = c.env;
    const { remoteAddress = "" } = incoming.socket;
    const isLimited = !parts.trustedProxies.has(remoteAddress);
    if (isLimited && peers.take(networkOf(remoteAddress)).kind === "empty")
      return fail(c, parts, {
        status: 429,
        detail: "Too many logins were begun from this address. Try again.",
      });
    const provider = Number(c.req.param("provider"));
    const asked = new URLSearchParams(queryOf(c)).get("to") ?? FIRST_PAGE;
    const { browser, set } = parts.visitors.beginVisit(incoming);
    const attempt = attempts.begin(browser, {
      provider,
      to: PAGE.test(asked) || isCliLogin(asked) ? asked : FIRST_PAGE,
    });
    const begun = await parts.providers.begin(attempt, redirectUri(parts, provider));
    return begun.kind === "problem" ? fail(c, parts, begun) : redirect(c, begun.value, set);
  };
  const finish = async (c: WebContext): Promise<Response> => {
    const { incoming } = c.env;
    const query = queryOf(c);
    const provider = Number(c.req.param("provider"));
    const state = new URLSearchParams(query).getAll("state");
    const browser = parts.visitors.browserOf(incoming);
    const attempt = state.length === 1 ? attempts.find(state[0] ?? "", browser, provider) : null;
    if (attempt === null || query.length > MAX_QUERY_LENGTH)
      return fail(c, parts, { status: 403, detail: OLD_LOGIN });
    const returned = new URL(`${redirectUri(parts, provider)}?${query}`);
    const done = await parts.providers.finish(attempt, returned);
    if (done.kind === "problem") return fail(c, parts, done);
    return redirect(c, attempt.to, parts.visitors.beginLogin(done.value));
  };
  const app = webApp();
  if (parts.providers.names.length === 0) return app;
  // Hono gives HEAD to what serves GET, and a login is more than an answer without its body.
  for (const [path, page] of [
    [START, begin],
    [CALLBACK, finish],
  ] as const)
    app.get(path, (c) => (c.req.method === "GET" ? page(c) : notGet(c))).all(path, notGet);
  return app;
}

function queryOf({ env }: WebContext): string {
  return splitTarget(env.incoming.url ?? "").query ?? "";
}

function redirectUri({ publicUrl }: LoginPagesParts, provider: number): string {
  return `${publicUrl}/login/${String(provider)}/callback`;
}

function redirect(c: WebContext, location: string, set: readonly string[]): Response {
  const cookies = set.length === 0 ? {} : { "set-cookie": [...set] };
  const headers = { ...PAGE_HEADERS, "x-request-id": newRequestId(), location, ...cookies };
  return answerWith(c, { status: 303, text: "", headers });
}

function fail(
  c: WebContext,
  { noteRefusal }: LoginPagesParts,
  { status, detail }: { readonly status: number; readonly detail: string },
): Response {
  const { code } = problem(status >= 500 ? "issuer_unavailable" : "token_refused", detail);
  const requestId = newRequestId();
  noteRefusal({ code, requestId, request: c.env.incoming });
  const text = renderPage(
    "You are not signed in",
    html`${notice(markText(detail))}
<p><a href="${FIRST_PAGE}">Sign in again</a>, or use an API key there.</p>`,
  );
  return answerWith(c, { status, text, headers: { ...PAGE_HEADERS, "x-request-id": requestId } });
}
