import type { IncomingMessage, ServerResponse } from "node:http";
import type { ApprovalRecord } from "@svc/contract/approval";
import { parseApproveRequest, parseRefuseApproval } from "@svc/contract/approval";
import { invalidProblem } from "@svc/contract/body-problem";
import { isJsonObject, type JsonObject } from "@svc/contract/json-value";
import type { Principal } from "@svc/contract/principal";
import { type Problem, problem } from "@svc/contract/problem";
import { refuseScope } from "@svc/contract/refuse-scope";
import { parseStrictJson } from "@svc/contract/strict-json";
import type { Authenticate, Authentication } from "@svc/http-api/authentication";
import type { LimitRate } from "@svc/http-api/rate-limits";
import type { NoteRefusal } from "@svc/http-api/refusal-log";
import { newRequestId } from "@svc/http-edge/request-id";
import { sendText } from "@svc/http-edge/send-json";
import type { MonotonicClock } from "@svc/process/clock";
import { isLoopback } from "@svc/process/is-loopback";
import type { ApprovalDesk } from "./approval-desk.ts";
import { ApproverSessions } from "./approver-sessions.ts";
import { MAX_FORM_BYTES } from "./form-limits.ts";
import { renderHeldCall } from "./held-call-page.ts";
import { renderLogin, renderNotNow, renderUnknown } from "./login-page.ts";
import { markText } from "./mark-text.ts";
import { html, type Markup } from "./markup.ts";
import { PageCookies } from "./page-cookies.ts";
import { notice, PAGE_HEADERS } from "./page-shell.ts";
import { PageThread } from "./page-thread.ts";
import { type Form, isCrossSite, readForm } from "./read-form.ts";

export interface ApprovalPagesParts {
  readonly desk: ApprovalDesk;
  /** Accepts every request while authentication is off; null while it is on. */
  readonly everybody: Authenticate | null;
  /** Authenticates by the text of an API key, and limits guesses. */
  readonly login: (request: IncomingMessage, key: string) => Authentication;
  readonly rateLimits: LimitRate;
  readonly noteRefusal: NoteRefusal;
  readonly clock: MonotonicClock;
  readonly publicUrl: string;
}

type Fields = Extract<Form, { kind: "form" }>["fields"];

/** Who looks at the page, and the cookie that their forms are tied to. */
interface Visitor {
  readonly principal: Principal;
  readonly refusal: () => Problem | null;
  readonly cookie: string;
  readonly set: readonly string[];
}

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
  readonly #sessions: ApproverSessions;
  readonly #cookies: PageCookies;

  constructor(parts: ApprovalPagesParts) {
    this.#parts = parts;
    this.#sessions = new ApproverSessions(parts.clock);
    this.#cookies = new PageCookies(parts.publicUrl);
  }

  /** Ends the thread that makes pages. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  async serve(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
    const { status, text, cookies, location } = await this.#answer(request, id);
    const where = location === undefined ? {} : { location };
    const set = cookies.length === 0 ? {} : { "set-cookie": [...cookies] };
    const requestId = { "x-request-id": newRequestId() };
    sendText(response, status, text, { ...PAGE_HEADERS, ...requestId, ...set, ...where });
  }

  async #answer(request: IncomingMessage, id: string): Promise<Answer> {
    const visitor = this.#visitor(request);
    if (visitor === "unknown") return { status: 503, text: renderNotNow(UNCHECKED), cookies: [] };
    if (request.method !== "POST")
      return visitor === null ? this.#login(request, 200, null) : this.#show(visitor, id, null);
    const form = await readForm(request, visitor !== null);
    if (form.kind === "problem") return this.#refused(request, visitor, { id, problem: form.problem });
    if (isCrossSite(request))
      return this.#refused(request, visitor, { id, problem: problem("forbidden", OTHER_SITE) });
    if (form.fields.action === "login") return this.#signIn(request, id, form.fields);
    if (visitor === null) return this.#login(request, 403, "The login has ended. Sign in again.");
    if (!this.#sessions.isToken(form.fields.token ?? "", visitor.cookie, purposeOf(visitor, id)))
      return this.#refused(request, visitor, { id, problem: problem("forbidden", OLD_FORM) });
    return this.#act(visitor, id, form.fields);
  }

  /** Null: nobody who has signed in. `unknown`: that cannot be checked now. */
  #visitor(request: IncomingMessage): Visitor | "unknown" | null {
    const { everybody } = this.#parts;
    if (everybody !== null) {
      const open = everybody(request);
      if (open.kind === "problem") return open.problem.code === "unavailable" ? "unknown" : null;
      const { value, set } = this.#cookies.visit(request);
      return { ...open, cookie: value, set };
    }
    const cookie = this.#cookies.read(request, "approver");
    if (cookie === null) return null;
    const found = this.#sessions.find(cookie);
    switch (found.kind) {
      case "session":
        return { ...found.session, cookie, set: [] };
      case "unknown":
        return "unknown";
      case "ended":
        return null;
    }
  }

  /** The same for every id, so that nobody learns here which ids there are. */
  #login(request: IncomingMessage, status: number, message: string | null): Answer {
    const { value, set } = this.#cookies.visit(request);
    const onLoopback = isLoopback(new URL(this.#parts.publicUrl).hostname);
    const text = renderLogin(this.#sessions.token(value, "login"), { message, onLoopback });
    return { status, text, cookies: set };
  }

  #signIn(request: IncomingMessage, id: string, { key = "", token = "" }: Fields): Answer {
    const visit = this.#cookies.read(request, "visit");
    if (visit === null || !this.#sessions.isToken(token, visit, "login"))
      return this.#login(request, 403, OLD_FORM);
    const known = this.#parts.login(request, key.trim());
    const refusal = known.kind === "problem" ? known.problem : refuseScope(known.principal, "approval:read");
    if (known.kind === "problem" || refusal !== null) {
      if (refusal !== null) this.#note(request, refusal);
      return this.#login(request, refusal?.status ?? 403, refusal?.detail ?? null);
    }
    const { principal, refusal: ended } = known;
    const cookie = this.#cookies.begin(this.#sessions.begin({ principal, refusal: ended }));
    return { status: 303, text: "", cookies: [cookie], location: `/approvals/${id}` };
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
      this.#sessions.end(visitor.cookie);
      return { status: 303, text: "", cookies: [this.#cookies.end()], location: `/approvals/${id}` };
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
    const { desk, rateLimits, everybody } = this.#parts;
    const { principal, cookie, set: cookies } = visitor;
    const token = this.#sessions.token(cookie, purposeOf(visitor, id));
    const banner = everybody === null ? signedIn(principal, token) : OPEN;
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

/** A token is for one person, and for one approval. */
function purposeOf({ principal }: Visitor, id: string): string {
  return JSON.stringify([principal.org, principal.id, id]);
}

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
