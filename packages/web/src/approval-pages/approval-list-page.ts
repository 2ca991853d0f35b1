import type { ApprovalItem } from "@svc/contract/approval";
import { markText } from "./mark-text.ts";
import { html, type Markup } from "./markup.ts";
import { notice, renderPage } from "./page-shell.ts";

export interface ListShown {
  /** Those that wait, the newest first. */
  readonly pending: readonly ApprovalItem[];
  /** Whether these are all. */
  readonly isAll: boolean;
  readonly banner: Markup;
  readonly message: string | null;
}

/** The approvals that wait for somebody. It has no form that decides: each is decided on its own page. */
export function renderApprovalList({ pending, isAll, banner, message }: ListShown): string {
  const said = message === null ? null : notice(markText(message));
  const rows = pending.map(
    ({ id, agent_id, tool, session_id, rule_id, requested_at, expires_at }) =>
      html`<tr><td><a href="/approvals/${id}">${markText(`${agent_id}: ${tool}`)}</a>
<br>session ${markText(session_id ?? "none")}, rule ${markText(rule_id ?? "none")}</td>
<td class="t">asked ${requested_at}<br>ends ${expires_at}</td></tr>`,
  );
  const table =
    rows.length === 0
      ? html`<p>No call waits for an approval.</p>`
      : html`<table><tr><th scope="col">Call</th><th scope="col">When</th></tr>${rows}</table>`;
  const more = isAll ? null : html`<p>There are more: <code>svc-cli approvals list</code> shows all.</p>`;
  return renderPage("Approvals that wait", html`${banner}${said}${table}${more}`);
}
