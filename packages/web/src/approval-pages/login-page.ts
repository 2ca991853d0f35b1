import { markText } from "./mark-text.ts";
import { html, type Markup } from "./markup.ts";
import { notice, renderPage } from "./page-shell.ts";

export interface LoginShown {
  readonly message: string | null;
  /** Whether browsers reach the page on their own machine. */
  readonly onLoopback: boolean;
  /** Providers that people can sign in with, and the page that a login leads to. */
  readonly names: readonly string[];
  readonly to: string;
  /** What somebody wrote whose login ended before they sent it. */
  readonly written?: Written;
}

export interface Written {
  readonly reason?: string;
  readonly args?: string;
}

/** Browsers tell servers apart by host, not by port, when they send cookies. */
const SHARES_LOGIN: Markup = notice(
  html`This page is on your own machine. Until you sign out, your browser also sends the login to every other
program that you open at localhost, on any port. Use a private window, and keep it for this page.`,
);

/** The page without a login. It is the same for every id. */
export function renderLogin(
  token: string,
  { message, onLoopback, names, to, written = {} }: LoginShown,
): string {
  const links = names.map(
    (name, at) =>
      html`<p><a href="/login/${String(at)}?to=${encodeURIComponent(to)}">Sign in with
${markText(name)}</a></p>`,
  );
  const said: Markup | null = message === null ? null : notice(markText(message));
  return renderPage(
    "Sign in to see the approval",
    html`${said}${writtenOf(written)}${onLoopback ? SHARES_LOGIN : null}${links}
<p>A policy paused a call of an agent. To see it and to decide, sign in with an API key that may read
approvals. The key is sent to this server alone, and the login ends after 15 minutes.</p>
<form method="post" autocomplete="off">
<input type="hidden" name="token" value="${token}">
<label for="key">API key</label>
<input id="key" name="key" type="password" required autofocus spellcheck="false" autocomplete="off">
<button name="action" value="login">Sign in</button>
</form>
<p>Programs use <code>GET /api/v1/approvals/{id}</code>.</p>`,
  );
}

/** It is not sent again: who signs in now may be somebody else. */
function writtenOf({ reason = "", args = "" }: Written): readonly Markup[] {
  const parts = [
    ["Your reason", reason],
    ["Your arguments", args],
  ] as const;
  return parts
    .filter(([, text]) => text !== "")
    .map(
      ([label, text]) => html`<label>${label} <textarea rows="3" readonly spellcheck="false">
${text}</textarea></label>`,
    );
}

/** For somebody who has signed in and may not see approvals. */
export function renderForbidden(why: string, banner: Markup): string {
  return renderPage("You may not see approvals", html`${banner}${notice(markText(why))}`);
}

/** When the approval may be there, but its page cannot be made now. */
export function renderNotNow(why: string): string {
  return renderPage("The approval cannot be shown now", notice(markText(why)));
}

/** For an id that names no approval which this key may see. */
export function renderUnknown(banner: Markup): string {
  return renderPage(
    "There is no such approval",
    html`${banner}<p>The address names no approval that this key may see. Compare it with the one in the
message, or sign in with another key.</p>`,
  );
}
