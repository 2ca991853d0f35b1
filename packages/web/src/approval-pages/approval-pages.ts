import type { IncomingMessage } from "node:http";
import type { ApprovalRecord } from "@svc/contract/approval";
import { parseApproveRequest, parseRefuseApproval } from "@svc/contract/approval";
import { invalidProblem } from "@svc/contract/body-problem";
import { isJsonObject, type JsonObject } from "@svc/contract/json-value";
import type { Principal } from "@svc/contract/principal";
import { type Problem, problem } from "@svc/contract/problem";
import { refuseScope } from "@svc/contract/refuse-scope";
import { parseStrictJson } from "@svc/contract/strict-json";
import type { LimitRate } from "@svc/http-api/rate-limits";
import type { NoteRefusal } from "@svc/http-api/refusal-log";
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
import { isCrossSite } from "../session/cross-site.ts";
import type { Visitor, Visitors } from "../session/visitors.ts";
import type { ApprovalDesk } from "./approval-desk.ts";
import { MAX_FORM_BYTES } from "./form-limits.ts";
import { renderHeldCall } from "./held-call-page.ts";
import { renderLogin, renderNotNow, renderUnknown } from "./login-page.ts";
import { markText } from "./mark-text.ts";
import { html, type Markup } from "./markup.ts";
import { notice, PAGE_HEADERS } from "./page-shell.ts";
import { PageThread } from "./page-thread.ts";
import { type Form, readForm } from "./read-form.ts";

export interface ApprovalPagesParts {
  readonly desk: ApprovalDesk;
  readonly visitors: Visitors;
  readonly rateLimits: LimitRate;
  readonly noteRefusal: NoteRefusal;
  readonly publicUrl: string;
}

type Fields = Extract<Form, { kind: "form" }>["fields"];

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

const OLD_FORM = "The form was too old, so nothing was done. Send it again.";

const BUSY = "Too many pages are being made, so nothing was done. Try again.";

const UNSENT_EDIT =
  "You changed the arguments, but the button that you used approves them as asked. Nothing was done. Use " +
  "“Approve with these arguments”, or leave the arguments as they were.";

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

  /** One page for each approval: any id that the service could have given. */
  app(judge: Judge): WebApp {
    const page = (c: WebContext): Promise<Response> => this.#serve(c);
    return webApp()
      .use(APPROVAL_PATH, judge)
      .get(APPROVAL_PATH, page)
      .post(APPROVAL_PATH, page)
      .all(APPROVAL_PATH, refuseMethod(["GET", "POST"]));
  }

  async #serve(c: WebContext): Promise<Response> {
    const { incoming } = c.env;
    const id = c.req.param("id") ?? "";
    const { status, text, cookies, location } = await this.#answer(incoming, id);
    const where = location === undefined ? {} : { location };
    const set = cookies.length === 0 ? {} : { "set-cookie": [...cookies] };
    const headers = { ...PAGE_HEADERS, "x-request-id": newRequestId(), ...set, ...where };
    return answerWith(c, { status, text, headers });
  }

  async #answer(request: IncomingMessage, id: string): Promise<Answer> {
    const visit = this.#parts.visitors.of(request);
    if (visit.kind === "unknown") return { status: 503, text: renderNotNow(UNCHECKED), cookies: [] };
    const visitor = visit.kind === "visitor" ? visit.visitor : null;
    if (request.method !== "POST")
      return visitor === null ? this.#login(request, 200, null) : this.#show(visitor, id, null);
    const form = await readForm(request, visitor !== null);
    if (form.kind === "problem") return this.#refused(request, visitor, { id, problem: form.problem });
    if (isCrossSite(request))
      return this.#refused(request, visitor, { id, problem: problem("forbidden", OTHER_SITE) });
    if (form.fields.action === "login") return this.#signIn(request, id, form.fields);
    if (visitor === null) return this.#login(request, 403, "The login has ended. Sign in again.");
    if (!this.#parts.visitors.isToken(form.fields.token ?? "", visitor, id))
      return this.#refused(request, visitor, { id, problem: problem("forbidden", OLD_FORM) });
    return this.#act(visitor, id, form.fields);
  }

  /** The same for every id, so that nobody learns here which ids there are. */
  #login(request: IncomingMessage, status: number, message: string | null): Answer {
    const { token, set } = this.#parts.visitors.loginForm(request);
    const onLoopback = isLoopback(new URL(this.#parts.publicUrl).hostname);
    return { status, text: renderLogin(token, { message, onLoopback }), cookies: set };
  }

  #signIn(request: IncomingMessage, id: string, { key = "", token = "" }: Fields): Answer {
    const done = this.#parts.visitors.signIn(request, { key, token }, "approval:read");
    switch (done.kind) {
      case "signed_in":
        return { status: 303, text: "", cookies: done.set, location: `/approvals/${id}` };
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
    { id, problem: refusal }: { readonly id: string; readonly problem: Problem },
  ): Promise<Answer> {
    this.#note(request, refusal);
    if (visitor === null) return this.#login(request, refusal.status, refusal.detail);
    return this.#show(visitor, id, refusal);
  }

  async #act(visitor: Visitor, id: string, fields: Fields): Promise<Answer> {
    const { desk } = this.#parts;
    if (fields.action === "logout") {
      const cookies = this.#parts.visitors.signOut(visitor);
      return { status: 303, text: "", cookies, location: `/approvals/${id}` };
    }
    const limited = this.#parts.rateLimits.take(visitor.principal, "write");
    if (limited.kind === "limited") return this.#show(visitor, id, limited.problem);
    const forbidden = refuseScope(visitor.principal, "approval:resolve") ?? visitor.refusal();
    if (forbidden !== null) return this.#show(visitor, id, forbidden);
    const found = await desk.read(visitor.principal, id);
    if (found.kind === "problem") return this.#show(visitor, id, null);
    const order = await this.#orderOf(visitor.principal, found.record, fields);
    if (order.kind === "problem") return this.#show(visitor, id, order.problem);
    const done =
      order.kind === "approve"
        ? await desk.approve(visitor.principal, { id, reason: order.reason, args: order.args })
        : await desk.deny(visitor.principal, { id, reason: order.reason });
    if (done.kind === "problem") return this.#show(visitor, id, done.problem);
    return { status: 303, text: "", cookies: visitor.set, location: `/approvals/${id}` };
  }

  /** The approval as it stands now. */
  async #show(visitor: Visitor, id: string, refusal: Problem | null): Promise<Answer> {
    const { desk, rateLimits, visitors } = this.#parts;
    const { principal, set: cookies } = visitor;
    const token = visitors.token(visitor, id);
    const banner = visitors.isOpen ? OPEN : signedIn(principal, token);
    const limited = rateLimits.take(principal, "read");
    if (limited.kind === "limited")
      return { status: 429, text: renderNotNow(limited.problem.detail), cookies };
    const found = await desk.read(principal, id);
    if (found.kind === "problem") {
      const { status, detail } = found.problem;
      if (status >= 500) return { status, text: renderNotNow(detail), cookies };
      const held = await desk.readHeld(principal, id);
      if (held.kind === "found") return { status: 200, text: renderHeldCall(held.record, banner), cookies };
      if (held.problem.status >= 500) return { status, text: renderNotNow(held.problem.detail), cookies };
      return { status: 404, text: renderUnknown(banner), cookies };
    }
    const { record } = found;
    const [rule, session] = await Promise.all([
      desk.rule(principal, record),
      desk.session(principal, record),
    ]);
    const mayDecide = refuseScope(principal, "approval:resolve") === null;
    const message = refusal === null ? null : messageOf(refusal);
    const shown = { record, rule, session, banner, message, token: mayDecide ? token : null };
    const text = await this.#thread.do(principal, { kind: "render", shown });
    if (text === null) return { status: 503, text: renderNotNow(BUSY), cookies };
    return { status: refusal?.status ?? 200, text, cookies };
  }

  async #orderOf(
    principal: Principal,
    { args, edited_args }: ApprovalRecord,
    fields: Fields,
  ): Promise<Order> {
    if (fields.action !== "approve" || fields.args === undefined) return orderOf(false, fields);
    const compare = { kind: "compare", shown: { args, edited_args }, text: fields.args } as const;
    return orderOf(await this.#thread.do(principal, compare), fields);
  }

  #note(request: IncomingMessage, { code }: Problem): void {
    this.#parts.noteRefusal({ code, requestId: newRequestId(), request });
  }
}

/** Its id has no escapes, so that it is as it was sent. */
export const APPROVAL_PATH = "/approvals/:id{[A-Za-z0-9_][A-Za-z0-9_-]{0,127}}";

const OPEN: Markup = notice(
  html`Authentication is off on this server: everybody who reaches it can decide here, and counts as one
person.`,
);

function signedIn({ id, role }: Principal, token: string): Markup {
  return html`<form method="post"><p>Signed in with key ${markText(id)} (${role}).
<input type="hidden" name="token" value="${token}">
<button name="action" value="logout">Sign out</button></p></form>`;
}

/** The detail, and the errors that it does not name. */
function messageOf({ detail, errors = [] }: Problem): string {
  const others = errors
    .filter(({ pointer }) => !detail.includes(`${pointer}: expected`))
    .map(({ pointer, expected, found }) => `${pointer}: expected ${expected}, found ${found}.`);
  return [detail, ...others].join(" ");
}

type Order =
  | { readonly kind: "approve"; readonly reason: string; readonly args: JsonObject | null }
  | { readonly kind: "deny"; readonly reason: string }
  | { readonly kind: "problem"; readonly problem: Problem };

function orderOf(isEdited: boolean | null, { action, reason = "", args }: Fields): Order {
  switch (action) {
    case "deny": {
      const parsed = parseRefuseApproval({ reason });
      return parsed.ok ? { kind: "deny", ...parsed.value } : invalid(invalidProblem(parsed.errors));
    }
    case "approve":
      if (isEdited === null) return invalid(problem("overloaded", BUSY));
      return isEdited ? invalid(problem("invalid_request", UNSENT_EDIT)) : approveWith(reason, null);
    case "approve_edited": {
      const edited = parseStrictJson(Buffer.from(args ?? "", "utf8"), MAX_FORM_BYTES);
      if (!edited.ok || !isJsonObject(edited.value))
        return invalid(problem("invalid_request", "Arguments: expected one JSON object. Nothing was done."));
      return approveWith(reason, edited.value);
    }
    case undefined:
    default:
      return invalid(
        problem("invalid_request", "Expected one of the buttons of the page. Nothing was done."),
      );
  }
}

function approveWith(reason: string, args: JsonObject | null): Order {
  const parsed = parseApproveRequest({ reason, args });
  return parsed.ok ? { kind: "approve", ...parsed.value } : invalid(invalidProblem(parsed.errors));
}

function invalid(refusal: Problem): Order {
  return { kind: "problem", problem: refusal };
}
