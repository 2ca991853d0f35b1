import type { ApprovalRecord } from "@svc/contract/approval";
import { holdsForText } from "@svc/contract/holds-for-text";
import type { JsonObject } from "@svc/text/json-value";
import { confusablePair } from "@svc/tool-calls/confusables";
import { MAX_EDITOR_BYTES } from "./form-limits.ts";
import type { Written } from "./login-page.ts";
import { escapeHidden, markText } from "./mark-text.ts";
import { html, type Markup } from "./markup.ts";
import { notice, renderPage } from "./page-shell.ts";

/** A decision of the same session. */
export interface SessionDecision {
  readonly time: string;
  readonly tool: string;
  readonly decision: string;
  readonly id: string;
}

export interface ShownApproval {
  readonly record: ApprovalRecord;
  /** Sentences about the rule; null when the policy version does not hold it. */
  readonly rule: readonly string[] | null;
  /** Newest first; null when they could not be read. */
  readonly session: readonly SessionDecision[] | null;
  /** Who looks, and what that means. */
  readonly banner: Markup;
  readonly message: string | null;
  /** What the form holds already, because nothing was done when it was sent. */
  readonly written: Written;
  /** Of the form; null: this key may not decide. */
  readonly token: string | null;
}

export function renderApproval(shown: ShownApproval): string {
  const { record, banner, message } = shown;
  const title =
    record.status === "pending" ? "Decide about a paused call" : `This approval is ${record.status}`;
  return renderPage(
    title,
    html`${message === null ? null : notice(markText(message))}${banner}${stateOf(record)}
<h2>Who asks, and for what</h2>
${facts([
  ["Agent", record.agent_id],
  ["Session", record.session_id ?? "none"],
  ["Namespace", record.namespace],
  ["Asked with key", record.requested_by],
  ["Tool", record.tool],
  ["The approval holds for", holdsFor(record)],
])}
${argumentsOf(record)}
<h2>Why it is paused</h2>
<p class="t">${markText(record.reason)}</p>
${ruleOf(shown)}
${facts([
  ["Rule", record.rule_id ?? "none"],
  ["Policy", `${record.policy_id}, version ${String(record.policy_version)}`],
])}
<h2>What else this session did</h2>
${sessionOf(shown)}
<h2>Details</h2>
${facts([
  ["Approval", record.id],
  ["Decision", record.decision_id],
  ["Asked at", record.requested_at],
  ["Expires at", record.expires_at],
  ["Call digest", record.call_digest ?? "not in the log any more"],
])}
${votesOf(record)}${formOf(shown)}`,
  );
}

function holdsFor({ scope, covers, agent_id, session_id }: ApprovalRecord): string {
  return holdsForText({ scope, covers, agentId: agent_id, sessionId: session_id });
}

function facts(rows: readonly (readonly [name: string, value: string])[]): Markup {
  const cells = rows.map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td class="t">${markText(value)}</td></tr>`,
  );
  return html`<table>${cells}</table>`;
}

function stateOf(record: ApprovalRecord): Markup {
  const { status, resolved_by, resolved_at, resolution, expires_at, suspended_because, void_because } =
    record;
  switch (status) {
    case "pending":
      if (void_because !== null) return notice(html`Nobody can approve the call: ${void_because}`);
      return html`<p>The call waits until ${expires_at}. It does not run before somebody approves it.</p>`;
    case "suspended":
      return notice(html`Nobody can approve the call now: ${suspended_because ?? "its agent is suspended."}`);
    case "approved":
    case "denied":
    case "expired":
    case "cancelled":
      return html`${endOf({ status, resolved_by, resolved_at, resolution })}${grantOf(record)}`;
  }
}

type End = Pick<ApprovalRecord, "status" | "resolved_by" | "resolved_at" | "resolution">;

function endOf({ status, resolved_by, resolved_at, resolution }: End): Markup {
  const by = resolved_by === null ? null : html` by <span class="t">${markText(resolved_by)}</span>`;
  const since = resolved_at === null ? null : html` since ${resolved_at}`;
  const why = resolution === null ? null : html` Reason: <span class="t">${markText(resolution)}</span>`;
  return notice(html`It is ${status}${by}${since}.${why}`);
}

function grantOf(record: ApprovalRecord): Markup | null {
  const { grant, max_uses } = record;
  if (grant === null) return null;
  const { expires_at, revoked, used_by, uses } = grant;
  if (revoked !== null) {
    const by = html`<span class="t">${markText(revoked.by)}</span>`;
    return html`<p>It was revoked at ${revoked.at} by ${by}. Calls before that: ${uses}.</p>`;
  }
  if (used_by !== null)
    return max_uses === 1
      ? html`<p>The agent has repeated the call, and it was allowed.</p>`
      : html`<p>The agent has made all ${max_uses} calls.</p>`;
  const holds = html`<span class="t">${markText(holdsFor(record))}</span>`;
  return html`<p>It holds for ${holds}, until ${expires_at}. Calls so far: ${uses}.</p>`;
}

function argumentsOf({ args, args_masked, edited_args }: ApprovalRecord): Markup {
  const masked = args_masked
    ? notice(
        html`Some values of this call are masked. Who approves it approves values that nobody sees here.`,
      )
    : null;
  const edited =
    edited_args === null ? null : html`<h3>An approver changed the arguments to</h3>${jsonOf(edited_args)}`;
  const gone = html`<p>The log does not hold the arguments any more.</p>`;
  return html`<h3>Arguments</h3>${masked}${args === null ? gone : jsonOf(args)}${edited}`;
}

/** Every argument, whole. */
function jsonOf(args: JsonObject | Readonly<Record<string, unknown>>): Markup {
  const names = Object.keys(args);
  if (names.length === 0) return html`<p>The call has no arguments.</p>`;
  const pair = confusablePair(names);
  const alike =
    pair === null
      ? null
      : notice(
          html`The name of an argument looks like another one: <span class="t">${markText(pair)}</span>`,
        );
  const rows = names.map((name) => {
    const value = markText(JSON.stringify(args[name], null, 2));
    return html`<tr><th scope="row" class="t">${markText(name)}</th><td><pre>${value}</pre></td></tr>`;
  });
  return html`${alike}<table>${rows}</table>`;
}

function ruleOf({ rule }: ShownApproval): Markup | null {
  if (rule === null) return null;
  return html`<ul>${rule.map((line) => html`<li class="t">${markText(line)}</li>`)}</ul>`;
}

function sessionOf({ session, record }: ShownApproval): Markup {
  if (record.session_id === null) return html`<p>The call names no session.</p>`;
  if (session === null) return html`<p>The decisions of the session cannot be read now.</p>`;
  if (session.length === 0) return html`<p>There is no other decision of this session.</p>`;
  return html`<table><tr><th>Time</th><th>Tool</th><th>Decision</th></tr>${session.map(
    ({ time, tool, decision }) =>
      html`<tr><td>${time}</td><td class="t">${markText(tool)}</td><td>${markText(decision)}</td></tr>`,
  )}</table>`;
}

function votesOf({ votes, required, status }: ApprovalRecord): Markup | null {
  if (votes.length === 0 && required === 1) return null;
  const missing = Math.max(0, required - votes.length);
  const left = status === "pending" ? ` Missing: ${String(missing)}.` : "";
  const given = votes.map(({ by, decision, reason, at }) => {
    const who = html`<span class="t">${markText(by)}: ${markText(reason)}</span>`;
    return html`<li>${at} ${decision} by ${who}</li>`;
  });
  return html`<h2>Approvals</h2>
<p>Different keys that must approve: ${required}.${left}</p>
<ul>${given}</ul>`;
}

function formOf({ record, token, written }: ShownApproval): Markup | null {
  if (record.status !== "pending") return null;
  if (token === null) return notice(html`This key may read approvals, but not decide them.`);
  return html`<h2>Decide</h2>
<form method="post" autocomplete="off">
<input type="hidden" name="token" value="${token}">
<label for="reason">Reason (it goes into the audit log)</label>
<textarea id="reason" name="reason" rows="2" required>
${written.reason ?? ""}</textarea>
${record.edited_args === null ? html`<button name="action" value="approve">Approve as asked</button>` : null}
<button name="action" value="deny">Deny</button>
${editOf(record, written)}
</form>`;
}

function editOf({ args, covers, edited_args }: ApprovalRecord, written: Written): Markup | null {
  // Edited arguments are those of one call.
  if (covers.length > 0) return null;
  const shown = edited_args ?? args;
  if (shown === null) return null;
  const title =
    edited_args === null ? "Approve with other arguments" : "Approve with the arguments set before";
  const text = editorText(shown);
  if (text === null)
    return notice(html`${title}: these arguments are too long for this page. The approvals API takes them.`);
  // A browser ends lines with two characters.
  const again = written.args === undefined ? text : escapeHidden(written.args.replaceAll("\r\n", "\n"));
  const isOpen = edited_args !== null || again !== text;
  return html`<details${isOpen ? html` open` : null}>
<summary>${title}</summary>
<label for="args">Arguments, as JSON. Hidden characters are written as escapes. The policy judges them
again.</label>
<textarea id="args" name="args" rows="10" spellcheck="false">
${again}</textarea>
<button name="action" value="approve_edited">Approve with these arguments</button>
</details>`;
}

/**
 * What the text area holds: the arguments with line breaks, or in one line where a form has no room for them.
 * Null when they are too long even so. A browser drops the line break before it.
 */
export function editorText(args: Readonly<Record<string, unknown>>): string | null {
  const oneLine = escapeHidden(JSON.stringify(args));
  if (!fitsForm(oneLine)) return null;
  const lines = escapeHidden(JSON.stringify(args, null, 2));
  return fitsForm(lines) ? lines : oneLine;
}

/** Whether a browser can send the text back, which ends its lines with two characters. */
function fitsForm(text: string): boolean {
  if (text.length > MAX_EDITOR_BYTES) return false;
  const sent = new URLSearchParams([["args", text.replaceAll("\n", "\r\n")]]);
  return sent.toString().length <= MAX_EDITOR_BYTES;
}
