import type { Principal } from "@svc/contract/principal";
import { markText } from "./mark-text.ts";
import { html, type Markup } from "./markup.ts";
import { notice } from "./page-shell.ts";

const LIST_LINK = html`<p><a href="/approvals">All approvals that wait</a></p>`;

const OPEN: Markup = html`${notice(
  html`Authentication is off on this server: everybody who reaches it can decide here, and counts as one
person.`,
)}${LIST_LINK}`;

const EVERYWHERE = html`
<button name="action" value="logout_all">Sign out everywhere, also in svc-cli</button>`;

/** Who has signed in, and the way out. @param principal null: everybody, while authentication is off */
export function visitorBanner(principal: Principal | null, token: string): Markup {
  if (principal === null) return OPEN;
  const { id, role, person } = principal;
  const who =
    person === undefined
      ? html`with key ${markText(id)} (${role})`
      : html`as ${markText(person.name ?? id)} (${markText(id)}; ${person.roles.join(", ")})`;
  return html`<form method="post"><p>Signed in ${who}.
<input type="hidden" name="token" value="${token}">
<button name="action" value="logout">Sign out</button>${person === undefined ? null : EVERYWHERE}</p></form>
${LIST_LINK}`;
}
