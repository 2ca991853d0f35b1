import type { HeldCallRecord } from "@svc/contract/held-call";
import { markText } from "./mark-text.ts";
import { html, type Markup } from "./markup.ts";
import { notice, renderPage } from "./page-shell.ts";

/** The page of a held call. It has no form: nobody can approve the call. */
export function renderHeldCall(record: HeldCallRecord, banner: Markup): string {
  const { status, agent_id, session_id, namespace, tool, requested_by, decision_id, held_at, id } = record;
  const title = status === "held" ? "This call is held" : `This held call is ${status}`;
  const facts = [
    ["Agent", agent_id],
    ["Session", session_id ?? "none"],
    ["Namespace", namespace],
    ["Asked with key", requested_by],
    ["Tool", tool],
    ["Held call", id],
    ["Decision", decision_id],
    ["Held since", held_at],
  ] as const;
  const rows = facts.map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td class="t">${markText(value)}</td></tr>`,
  );
  return renderPage(
    title,
    html`${banner}${nextOf(record)}<h2>Who asks, and for what</h2><table>${rows}</table>`,
  );
}

/** What happens next, and when. */
function nextOf({ status, session_id, expires_at, ended_at }: HeldCallRecord): Markup {
  const session = session_id === null ? "a session of the agent" : "the session";
  switch (status) {
    case "held":
      return notice(html`Rogue detection suspends ${session}: it is at CRITICAL. Nobody can approve this call.
When the agent sends heartbeats and authenticates again, the call is released. When ${session} reaches
EMERGENCY, the call is revoked. Otherwise it expires at ${expires_at}.`);
    case "released":
      return notice(html`The agent recovered at ${ended_at ?? ""}. It can repeat the call now. The gateway
judges the repeat like any other call.`);
    case "revoked":
      return notice(html`Rogue detection terminated ${session} at ${ended_at ?? ""}. The call does not run.
An operator must register the agent again.`);
    case "expired":
      return notice(html`The agent neither recovered nor was terminated before ${expires_at}. The call does
not run. The agent can ask again.`);
  }
}
