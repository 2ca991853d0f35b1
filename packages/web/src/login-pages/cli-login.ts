import { createHash } from "node:crypto";
import type { Principal } from "@svc/contract/principal";
import { problem } from "@svc/contract/problem";
import type { NoteRefusal } from "@svc/http-api/refusal-log";
import { splitTarget } from "@svc/http-api/split-target";
import { answerWith, type WebApp, type WebContext, webApp } from "@svc/http-api/web-app";
import { newRequestId } from "@svc/http-edge/request-id";
import { markText } from "../approval-pages/mark-text.ts";
import { html, type Markup } from "../approval-pages/markup.ts";
import { notice, PAGE_HEADERS, renderPage } from "../approval-pages/page-shell.ts";
import { readForm } from "../approval-pages/read-form.ts";
import { isCrossSite } from "../session/cross-site.ts";
import type { Visitor, Visitors } from "../session/visitors.ts";
import type { LoginProviders, LoginStep } from "./login-providers.ts";

export interface CliLoginParts {
  readonly visitors: Visitors;
  readonly providers: Pick<LoginProviders, "names">;
  readonly noteRefusal: NoteRefusal;
  readonly publicUrl: string;
  /** A key of the person's login, sealed for the holder of this public key. */
  readonly handOver: (principal: Principal, publicKey: string) => Promise<LoginStep<string>>;
}

const PATH = "/login/cli";

/** What svc-cli asks for: where it listens on the person's machine, its public key, and its state. */
const ASKED = /^port=(?<port>\d{4,5})&key=(?<key>[\w-]{43})&state=(?<state>[\w-]{22,64})$/;

const MAX_PORT = 65_535;

/** Digits that the terminal shows, too. */
const CODE_LENGTH = 8;

interface Asked {
  readonly port: string;
  readonly key: string;
  readonly state: string;
  /** The same as text. */
  readonly query: string;
}

/** Whether a login may lead to this page of svc-cli. */
export function isCliLogin(target: string): boolean {
  const { path, query } = splitTarget(target);
  return path === PATH && askedOf(query ?? "") !== null;
}

/**
 * The page on which a person gives their login to svc-cli. The key goes to a port of the person's own
 * machine, and only the program that asked can read it.
 */
export function cliLogin(parts: CliLoginParts): WebApp {
  const serve = async (c: WebContext): Promise<Response> => {
    const { incoming } = c.env;
    const asked = askedOf(splitTarget(incoming.url ?? "").query ?? "");
    if (asked === null) return show(c, { status: 400, content: notice(html`${NOT_ASKED}`) });
    const visit = await parts.visitors.of(incoming);
    if (visit.kind === "unknown") return show(c, { status: 503, content: notice(html`${NOT_NOW}`) });
    const visitor = visit.kind === "visitor" ? visit.visitor : null;
    if (visitor?.principal.person === undefined)
      return show(c, { status: 200, content: ways(parts.providers.names, asked) });
    const purpose = `${PATH}?${asked.query}`;
    if (incoming.method !== "POST")
      return show(c, {
        status: 200,
        content: question(visitor.principal, asked, parts.visitors.token(visitor, purpose)),
        port: asked.port,
      });
    return give(c, parts, { asked, visitor, purpose });
  };
  const app = webApp();
  return parts.providers.names.length === 0 ? app : app.get(PATH, serve).post(PATH, serve);
}

interface Giving {
  readonly asked: Asked;
  readonly visitor: Visitor;
  readonly purpose: string;
}

async function give(
  c: WebContext,
  { visitors, handOver, noteRefusal, publicUrl }: CliLoginParts,
  { asked: { port, key, state }, visitor, purpose }: Giving,
): Promise<Response> {
  const { incoming } = c.env;
  const form = await readForm(incoming, true);
  const isOwn = form.kind === "form" && visitors.isToken(form.fields.token ?? "", visitor, purpose);
  if (isCrossSite(incoming, publicUrl) || !isOwn) {
    noteRefusal({ code: problem("forbidden", OLD_FORM).code, requestId: newRequestId(), request: incoming });
    return show(c, { status: 403, content: notice(html`${OLD_FORM}`) });
  }
  const sealed = await handOver(visitor.principal, key);
  if (sealed.kind === "problem")
    return show(c, { status: sealed.status, content: notice(markText(sealed.detail)) });
  const location = `http://127.0.0.1:${port}/?state=${state}&login=${sealed.value}`;
  return answerWith(c, { status: 303, text: "", headers: { ...PAGE_HEADERS, location } });
}

const NOT_ASKED = "This page is for svc-cli login, which opens it with an address of its own.";
const NOT_NOW = "The service cannot check now whether your login is still valid. Try again in a moment.";
const OLD_FORM =
  "The form was too old or came from another site, so nothing was done. Run svc-cli login again.";

function askedOf(query: string): Asked | null {
  const { port = "", key = "", state = "" } = ASKED.exec(query)?.groups ?? {};
  return port === "" || Number(port) > MAX_PORT ? null : { port, key, state, query };
}

function ways(names: readonly string[], { query }: Asked): Markup {
  const to = encodeURIComponent(`${PATH}?${query}`);
  const links = names.map(
    (name, at) => html`<p><a href="/login/${String(at)}?to=${to}">Sign in with ${markText(name)}</a></p>`,
  );
  return html`<p>svc-cli on this machine asks for your login.</p>${links}`;
}

function question({ id, person }: Principal, { key }: Asked, token: string): Markup {
  const code = createHash("sha256").update(key).digest("hex").slice(0, CODE_LENGTH);
  return html`<p>svc-cli on this machine asks to act as ${markText(person?.name ?? id)} (${markText(id)})
for up to one hour, or until <code>svc-cli logout</code>. Of the ways to sign out on these pages, only
"Sign out everywhere" ends it.
Your terminal must show the code <code>${code}</code>. If you have not just run
<code>svc-cli login</code>, close this page.</p>
<form method="post"><input type="hidden" name="token" value="${token}">
<button name="action" value="approve">Let svc-cli act as me</button></form>`;
}

interface Shown {
  readonly status: number;
  readonly content: Markup;
  /** Where the form may lead to. */
  readonly port?: string;
}

function show(c: WebContext, { status, content, port }: Shown): Response {
  const policy = String(PAGE_HEADERS["content-security-policy"]);
  const leading = port === undefined ? "'self'" : `'self' http://127.0.0.1:${port}`;
  const headers = {
    ...PAGE_HEADERS,
    "content-security-policy": policy.replace("form-action 'self'", `form-action ${leading}`),
    "x-request-id": newRequestId(),
  };
  return answerWith(c, { status, text: renderPage("Sign in for svc-cli", content), headers });
}
