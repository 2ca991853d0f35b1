import type { IncomingMessage } from "node:http";
import type { ApprovalRecord } from "@svc/contract/approval";
import type { Principal } from "@svc/contract/principal";
import { type Problem, problem } from "@svc/contract/problem";
import { refuseScope } from "@svc/contract/refuse-scope";
import type { LimitRate } from "@svc/http-api/rate-limits";
import type { NoteRefusal } from "@svc/http-api/refusal-log";
import { splitTarget } from "@svc/http-api/split-target";
import {
  answerWith,
  type Judge,
  refuseMethod,
  type WebApp,
  type WebContext,
  webApp,
} from "@svc/http-api/web-app";
import { newRequestId } from "@svc/http-edge/request-id";
import { isLoopback } from "@svc/process/is-loopback";
import type { LoginProviders } from "../login-pages/login-providers.ts";
import { isCrossSite } from "../session/cross-site.ts";
import type { Visitor, Visitors } from "../session/visitors.ts";
import { renderApprovalList } from "./approval-list-page.ts";
import type { ApprovalOperations } from "./approval-operations.ts";
import { BUSY, type Fields, type Order, orderOf } from "./form-order.ts";
import { renderHeldCall } from "./held-call-page.ts";
import { renderForbidden, renderLogin, renderNotNow, renderUnknown, type Written } from "./login-page.ts";
import type { Markup } from "./markup.ts";
import { PAGE_HEADERS } from "./page-shell.ts";
import { PageThread } from "./page-thread.ts";
import { readForm } from "./read-form.ts";
import { visitorBanner } from "./visitor-banner.ts";

export interface ApprovalPagesParts {
  readonly operations: ApprovalOperations;
  readonly visitors: Visitors;
  readonly rateLimits: LimitRate;
  readonly noteRefusal: NoteRefusal;
  readonly publicUrl: string;
  /** With which people can sign in. */
  readonly providers: Pick<LoginProviders, "names">;
}

/** The id of an approval. Null: the list of those that wait. */
type Place = string | null;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly cookies: readonly string[];
  readonly location?: string;
}

const OTHER_SITE = "The form was sent by a page of another site, so nothing was done.";

const UNCHECKED =
  "The service cannot check now whether your login is still valid, so nothing was done. You stay signed " +
  "in. Try again in a moment.";

const ENDED = "The login has ended, so nothing was done.";

const OLD_FORM = "The form was too old, so nothing was done. Send it again.";

/** The pages of approvals, for people. Reading one decides nothing; only a form that was shown here does. */
export class ApprovalPages {
  readonly #parts: ApprovalPagesParts;
  readonly #thread = new PageThread();

  constructor(parts: ApprovalPagesParts) {
    this.#parts = parts;
  }

  /** Ends the thread that makes pages. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  /** The list, and one page for each approval: any id that the service could have given. */
  app(judge: Judge): WebApp {
    const page = (c: WebContext): Promise<Response> => this.#serve(c);
    const app = webApp();
    for (const path of APPROVAL_PATHS)
      app
        .use(path, judge)
        .get(path, page)
        .post(path, page)
        .all(path, refuseMethod(["GET", "POST"]));
    return app;
  }

  async #serve(c: WebContext): Promise<Response> {
    const { incoming } = c.env;
    const id = c.req.param("id") ?? null;
    const { status, text, cookies, location } = await this.#answer(incoming, id);
    const where = location === undefined ? {} : { location };
    const set = cookies.length === 0 ? {} : { "set-cookie": [...cookies] };
    const headers = { ...PAGE_HEADERS, "x-request-id": newRequestId(), ...set, ...where };
    return answerWith(c, { status, text, headers });
  }

  async #answer(request: IncomingMessage, id: Place): Promise<Answer> {
    const visit = await this.#parts.visitors.of(request);
    if (visit.kind === "unknown") return { status: 503, text: renderNotNow(UNCHECKED), cookies: [] };
    const visitor = visit.kind === "visitor" ? visit.visitor : null;
    if (request.method !== "POST")
      return visitor === null ? this.#login(request, 200, null) : this.#show(visitor, id, null);
    const form = await readForm(request, visitor !== null);
    if (form.kind === "problem") return this.#refused(request, visitor, { id, problem: form.problem });
    if (isCrossSite(request, this.#parts.publicUrl))
      return this.#refused(request, visitor, { id, problem: problem("forbidden", OTHER_SITE) });
    if (form.fields.action === "login") return this.#signIn(request, id, form.fields);
    if (visitor === null) return this.#ended(request, form.fields);
    if (!this.#parts.visitors.isToken(form.fields.token ?? "", visitor, pathOf(id)))
      return this.#refused(request, visitor, {
        id,
        problem: problem("forbidden", OLD_FORM),
        written: form.fields,
      });
    return this.#act(visitor, id, form.fields);
  }

  /** The same for every id, so that nobody learns here which ids there are. */
  #login(request: IncomingMessage, status: number, message: string | null, written: Written = {}): Answer {
    const { token, set } = this.#parts.visitors.loginForm(request);
    const onLoopback = isLoopback(new URL(this.#parts.publicUrl).hostname);
    const { names } = this.#parts.providers;
    const shown = { message, onLoopback, names, to: splitTarget(request.url ?? "").path, written };
    return { status, text: renderLogin(token, shown), cookies: set };
  }

  #ended(request: IncomingMessage, written: Written): Answer {
    const isEmpty = (written.reason ?? "") === "" && (written.args ?? "") === "";
    const next = isEmpty
      ? "Sign in again."
      : "What you wrote is below: copy it, sign in again, and send it from the page of the approval.";
    return this.#login(request, 403, `${ENDED} ${next}`, written);
  }

  #signIn(request: IncomingMessage, id: Place, { key = "", token = "" }: Fields): Answer {
    const done = this.#parts.visitors.signIn(request, { key, token }, "approval:read");
    switch (done.kind) {
      case "signed_in":
        return { status: 303, text: "", cookies: done.set, location: pathOf(id) };
      case "old_form":
        return this.#login(request, 403, OLD_FORM);
      case "problem":
        this.#note(request, done.problem);
        return this.#login(request, done.problem.status, done.problem.detail);
    }
  }

  async #refused(
    request: IncomingMessage,
    visitor: Visitor | null,
    refused: { readonly id: Place; readonly problem: Problem; readonly written?: Written },
  ): Promise<Answer> {
    const { id, problem: refusal, written } = refused;
    this.#note(request, refusal);
    if (visitor === null) return this.#login(request, refusal.status, refusal.detail);
    return this.#show(visitor, id, refusal, written);
  }

  async #act(visitor: Visitor, id: Place, fields: Fields): Promise<Answer> {
    const { operations } = this.#parts;
    if (fields.action === "logout" || fields.action === "logout_all")
      return this.#signOut(visitor, id, fields);
    if (id === null) return this.#show(visitor, id, null);
    const limited = this.#parts.rateLimits.take(visitor.principal, "write");
    if (limited.kind === "limited") return this.#show(visitor, id, limited.problem, fields);
    const forbidden = refuseScope(visitor.principal, "approval:resolve") ?? visitor.refusal();
    if (forbidden !== null) return this.#show(visitor, id, forbidden, fields);
    const found = await operations.read(visitor.principal, id);
    if (found.kind === "problem") return this.#show(visitor, id, null);
    const order = await this.#orderOf(visitor.principal, found.value, fields);
    if (order.kind === "problem") return this.#show(visitor, id, order.problem, fields);
    const done =
      order.kind === "approve"
        ? await operations.approve(visitor.principal, { id, reason: order.reason, args: order.args })
        : await operations.deny(visitor.principal, { id, reason: order.reason });
    if (done.kind === "problem") return this.#show(visitor, id, done.problem, fields);
    return { status: 303, text: "", cookies: visitor.set, location: pathOf(id) };
  }

  async #signOut(visitor: Visitor, id: Place, { action }: Fields): Promise<Answer> {
    const { operations, visitors } = this.#parts;
    if (action === "logout_all" && visitor.principal.person !== undefined) {
      // Who reads that they are signed out everywhere must be so.
      const ended = await operations.endLogins(visitor.principal);
      if (ended.kind === "problem") return this.#show(visitor, id, ended.problem);
    } else await operations.endLogin(visitor.principal);
    return { status: 303, text: "", cookies: visitors.signOut(visitor), location: pathOf(id) };
  }

  /** The approval as it stands now, with what the visitor wrote where nothing was done. */
  async #show(
    visitor: Visitor,
    id: Place,
    refusal: Problem | null,
    { reason, args }: Written = {},
  ): Promise<Answer> {
    const { operations, rateLimits, visitors } = this.#parts;
    const { principal, set: cookies } = visitor;
    const token = visitors.token(visitor, pathOf(id));
    const unread = refuseScope(principal, "approval:read");
    if (unread !== null)
      return { status: 403, text: renderForbidden(unread.detail, visitorBanner(principal, token)), cookies };
    const banner = visitorBanner(visitors.isOpen ? null : principal, token);
    const limited = rateLimits.take(principal, "read");
    if (limited.kind === "limited")
      return { status: 429, text: renderNotNow(limited.problem.detail), cookies };
    if (id === null) return this.#list(visitor, banner, refusal);
    const found = await operations.read(principal, id);
    if (found.kind === "problem") {
      const { status, detail } = found.problem;
      if (status >= 500) return { status, text: renderNotNow(detail), cookies };
      const held = await operations.readHeld(principal, id);
      if (held.kind === "ok") return { status: 200, text: renderHeldCall(held.value, banner), cookies };
      if (held.problem.status >= 500) return { status, text: renderNotNow(held.problem.detail), cookies };
      return { status: 404, text: renderUnknown(banner), cookies };
    }
    const { value: record } = found;
    const [rule, session] = await Promise.all([
      operations.rule(principal, record),
      operations.session(principal, record),
    ]);
    const mayDecide = refuseScope(principal, "approval:resolve") === null;
    const message = refusal === null ? null : messageOf(refusal);
    const written = { ...(reason === undefined ? {} : { reason }), ...(args === undefined ? {} : { args }) };
    const shown = { record, rule, session, banner, message, written, token: mayDecide ? token : null };
    const text = await this.#thread.do(principal, (pages) => pages.renderApproval(shown));
    if (text === null) return { status: 503, text: renderNotNow(BUSY), cookies };
    return { status: refusal?.status ?? 200, text, cookies };
  }

  async #list(
    { principal, set: cookies }: Visitor,
    banner: Markup,
    refusal: Problem | null,
  ): Promise<Answer> {
    const found = await this.#parts.operations.pending(principal);
    if (found.kind === "problem")
      return { status: found.problem.status, text: renderNotNow(found.problem.detail), cookies };
    const { items, next } = found.value;
    const message = refusal === null ? null : messageOf(refusal);
    const text = renderApprovalList({ pending: items, isAll: next === null, banner, message });
    return { status: refusal?.status ?? 200, text, cookies };
  }

  async #orderOf(
    principal: Principal,
    { args, edited_args }: ApprovalRecord,
    fields: Fields,
  ): Promise<Order> {
    const { action, args: text } = fields;
    if (action !== "approve" || text === undefined) return orderOf(false, fields);
    const isEdited = await this.#thread.do(principal, (pages) => pages.isEdited({ args, edited_args }, text));
    return orderOf(isEdited, fields);
  }

  #note(request: IncomingMessage, { code }: Problem): void {
    this.#parts.noteRefusal({ code, requestId: newRequestId(), request });
  }
}

const LIST_PATH = "/approvals";

function pathOf(id: Place): string {
  return id === null ? LIST_PATH : `${LIST_PATH}/${id}`;
}

/** The list and each approval. Its id has no escapes, so that it is as it was sent. */
export const APPROVAL_PATHS = [LIST_PATH, `${LIST_PATH}/:id{[A-Za-z0-9_][A-Za-z0-9_-]{0,127}}`] as const;

/** The detail, and the errors that it does not name. */
function messageOf({ detail, errors = [] }: Problem): string {
  const others = errors
    .filter(({ pointer }) => !detail.includes(`${pointer}: expected`))
    .map(({ pointer, expected, found }) => `${pointer}: expected ${expected}, found ${found}.`);
  return [detail, ...others].join(" ");
}
