import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { SEVERITIES } from "@svc/contract/severity";
import { busySentence } from "../agents/busy-agents.ts";
import { counted } from "../frame/counted.ts";
import { type Member, oneLine, renderMembers } from "../frame/tables.ts";
import type { Piece } from "../frame/text.ts";
import { spanText, timeLeft } from "../frame/time-left.ts";
import { NEVER_SEEN } from "../kill/switch-facts.ts";
import { disabledPolicyText } from "../policies/move-policy.ts";
import type { FirstPage, Part, Status } from "./read-status.ts";
import { causeOf, notReadyText, type SharedCause, sharedCause } from "./readiness-text.ts";

/** Lines of one list that are shown, as count. */
const SHOWN = 5;

/** The status on one screen. What is not known says so in its place. */
export function statusText(status: Status, nowMs: number): Piece[] {
  const shared = sharedCause(status);
  const member = memberBeside(shared);
  return renderMembers([
    member("server", status.server, serverMember),
    ...(shared === null ? [] : [sharedMember(shared)]),
    member("gateways", status.gateways, (gateways) => gatewaysMember(gateways, nowMs)),
    stoppedMember(status, shared),
    member("agents", status.agents, (agents) => agentsMember(agents, nowMs)),
    member("busiest", status.busiest, busiestMember),
    member("anomalies", status.anomalies, (anomalies) => anomaliesMember(anomalies, nowMs)),
    member("alerts", status.alerts, (alerts) => alertsMember(alerts, nowMs)),
    member("webhooks", status.webhooks, webhooksMember),
    member("approvals", status.approvals, (approvals) => approvalsMember(approvals, nowMs)),
    member("decisions", status.decisions, (decisions) => decisionsMember(decisions, nowMs)),
    member("signed", status.signed, (signed) => signedMember(signed, status, nowMs)),
  ]);
}

type Known<Name extends keyof Status> = Extract<Status[Name], { readonly known: true }>["value"];
type Shown = readonly [value: string, as?: Member[2]];

function memberBeside(shared: SharedCause | null) {
  return <Value>(name: string, found: Part<Value>, show: (value: Value) => Shown): Member => {
    if (!found.known) return [name, unknownText(found.why, shared), "warning"];
    const [value, as] = show(found.value);
    return as === undefined ? [name, value] : [name, value, as];
  };
}

/** A cause that several parts share is said once. */
function unknownText(why: string, shared: SharedCause | null): string {
  return causeOf(why) === shared?.why ? "not known" : `not known: ${oneLine(why)}`;
}

function sharedMember({ why, parts }: SharedCause): Member {
  return ["not known", `${parts.join(", ")}: ${oneLine(why)}`, "bad"];
}

function serverMember(readiness: Known<"server">): Shown {
  const text = notReadyText(readiness);
  return text === null ? ["ready", "good"] : [text, "bad"];
}

function gatewaysMember(gateways: Known<"gateways">, nowMs: number): Shown {
  const rate = gateways.reduce((sum, one) => sum + one.decisions_per_second, 0);
  const isBehind = gateways.some(({ lag, lease_ends_at: lease }) => lag > 0 || lease === null);
  const lines = gateways.map(({ id, host, role, lag, lease_ends_at: lease, last_seen_at: seen }) => {
    const state = lease === null ? "DENIES EVERY CALL" : `lag ${String(lag)}`;
    return `${id}  ${role}  ${state}  seen ${ageText(seen, nowMs)}  ${host}`;
  });
  const head = `${String(gateways.length)}, ${rate.toFixed(1)} decisions a second`;
  const text = [head, ...lines].map(oneLine).join("\n");
  return isBehind ? [text, "bad"] : [text];
}

/** What kill switches and disabled policies stop. It is "nothing" only where both are known. */
function stoppedMember(
  { kill_switches: switches, disabled_policies: policies }: Status,
  shared: SharedCause | null,
): Member {
  const texts = [
    switches.known ? switchesText(switches.value) : `kill switches ${unknownText(switches.why, shared)}`,
    policies.known ? disabledText(policies.value) : `disabled policies ${unknownText(policies.why, shared)}`,
  ];
  const shown = texts.filter((text) => text !== null);
  if (shown.length === 0) return ["stopped", "nothing", "good"];
  const isStopped = [switches, policies].some((part) => part.known && part.value.items.length > 0);
  return ["stopped", shown.join("\n"), isStopped ? "bad" : "warning"];
}

function switchesText({ items, is_all: isAll }: Known<"kill_switches">): string | null {
  if (items.length === 0) return null;
  const lines = items.map(
    ({ stops, reason, activated_by: by, expires_at: end, never_seen: isUnseen }) =>
      `${stops}: ${reason} (${by}${end === null ? "" : `, until ${end}`})` +
      (isUnseen ? `; ${NEVER_SEEN}` : ""),
  );
  return listText(countText(items, isAll, "active kill switch"), lines);
}

function disabledText({ items, is_all: isAll }: Known<"disabled_policies">): string | null {
  if (items.length === 0) return null;
  const lines = items.map(({ id }) => disabledPolicyText(id));
  return listText(countText(items, isAll, "disabled policy", "disabled policies"), lines);
}

function agentsMember({ items, is_all: isAll }: Known<"agents">, nowMs: number): Shown {
  if (items.length === 0) return ["none above INFO", "good"];
  const worstFirst = items.toSorted(
    (left, right) => SEVERITIES.indexOf(right.severity) - SEVERITIES.indexOf(left.severity),
  );
  const counts = SEVERITIES.map((severity) => {
    const count = items.filter((one) => one.severity === severity).length;
    return count === 0 ? [] : [`${String(count)} ${severity}`];
  })
    .flat()
    .toReversed();
  const lines = worstFirst.map(
    ({ id, severity, last_heartbeat: beat }) =>
      `${severity}  ${id}  heartbeat ${beat === null ? "never" : ageText(beat, nowMs)}`,
  );
  return [listText(`${counts.join(", ")}${isAll ? "" : " and more"}`, lines), "warning"];
}

function busiestMember(top: Known<"busiest">): Shown {
  const { agents, indexed } = top;
  const lines = agents.map((agent) => `${agent.agent_id}  ${busySentence(agent, top)}`);
  const late = indexed.complete ? [] : ["newer calls are not indexed yet"];
  if (lines.length === 0) return [["no agent called in the last minutes", ...late].join("\n")];
  return [[...lines, ...late].map(oneLine).join("\n")];
}

function anomaliesMember({ anomalies, is_all: isAll }: Known<"anomalies">, nowMs: number): Shown {
  if (anomalies.length === 0) return [isAll ? "none in the last hour" : "none indexed yet"];
  const lines = anomalies.map(({ agent_id: agent, anomaly, times, last_at: at, explanation }) => {
    const count = times === 1 ? "" : ` ${String(times)} times`;
    return `${agent}  ${anomaly}${count}, ${ageText(at, nowMs)}: ${explanation}`;
  });
  const total = anomalies.reduce((sum, { times }) => sum + times, 0);
  return [listText(`${String(total)}${isAll ? "" : " or more"} in the last hour`, lines), "warning"];
}

function alertsMember({ items, is_all: isAll }: Known<"alerts">, nowMs: number): Shown {
  if (items.length === 0) return ["none open", "good"];
  const worstFirst = [...items.filter(isCritical), ...items.filter((one) => !isCritical(one))];
  const lines = worstFirst.map(
    ({ id, severity, condition, opened_at: at, summary }) =>
      `${severity}  ${condition}  ${id}, ${ageText(at, nowMs)}: ${summary}`,
  );
  const [first] = worstFirst;
  const next = `svc-cli alerts ack ${first?.id ?? "<id>"} says that you look at it`;
  const text = listText(`${String(items.length)}${isAll ? "" : " or more"} open`, lines);
  return [`${text}\n${next}`, items.some(isCritical) ? "bad" : "warning"];
}

function isCritical({ severity }: { readonly severity: string }): boolean {
  return severity === "critical";
}

function webhooksMember({ items, registered, not_asked: left }: Known<"webhooks">): Shown {
  const more = left === 0 ? "" : `\n${counted(left, "more webhook")} not looked at: svc-cli webhooks list`;
  const [first] = items;
  if (first === undefined) {
    const text =
      registered === 0 ? "none" : `${String(registered)} registered, none found suspended or disabled`;
    return [`${text}${more}`];
  }
  const lines = items.map(({ id, origin, state, disabled_reason: reason, next_probe_at: probe }) =>
    state === "suspended"
      ? `SUSPENDED  ${id}  ${origin}, tried again ${probe ?? "soon"}`
      : `disabled (${reason ?? "operator"})  ${id}  ${origin}`,
  );
  const suspended = items.filter(({ state }) => state === "suspended").length;
  const head = `${String(suspended)} suspended, ${String(items.length - suspended)} disabled`;
  const next =
    first.state === "suspended"
      ? `svc-cli webhooks deliveries ${first.id} --status failed says why`
      : `svc-cli webhooks enable ${first.id} lets it get what it missed`;
  const isWanted = items.every(({ disabled_reason: reason }) => reason === "operator");
  const text = `${listText(head, lines)}\n${next}${more}`;
  return isWanted ? [text] : [text, "bad"];
}

function approvalsMember({ items, is_all: isAll }: Known<"approvals">, nowMs: number): Shown {
  if (items.length === 0) return ["none pending"];
  const oldest = items.at(-1);
  const end = oldest === undefined || !isAll ? "" : `; the oldest ends ${timeLeft(oldest.expires_at, nowMs)}`;
  const dead = items.filter(({ void_because: why }) => why !== null).length;
  const text =
    dead === 0 ? "" : `\n${String(dead)} of them void: another version of their policy decides now`;
  return [`${countText(items, isAll, "pending", "pending")}${end}${text}`, "warning"];
}

function decisionsMember(last: Known<"decisions">, nowMs: number): Shown {
  const { count, allow, deny, pause, withdrawn, fail_closed, since, is_complete: isComplete, probes } = last;
  const probed = probes === 0 ? [] : [`besides ${counted(probes, "denied probe")} of svc-cli doctor`];
  if (since === null) return [[isComplete ? "none yet" : "none indexed yet", ...probed].join("\n")];
  const share = ((100 * deny) / count).toFixed(1);
  const causes = Object.entries(fail_closed).map(([cause, times]) => `${String(times)} ${cause}`);
  const lines = [
    `${share} % denied: of the last ${String(count)}, ${String(deny)} denied, ${String(pause)} paused, ` +
      `${String(allow)} allowed`,
    `the oldest of them ${ageText(since, nowMs)}`,
    ...(withdrawn === 0 ? [] : [`${String(withdrawn)} withdrawn: their callers were denied`]),
    causes.length === 0 ? "none of them denied by a fault" : `denied by a fault: ${causes.join(", ")}`,
    "a fault of the log itself leaves no row: svc_decisions_total counts it",
    ...probed,
    ...(isComplete ? [] : ["newer ones are not indexed yet"]),
  ];
  const text = lines.map(oneLine).join("\n");
  return causes.length === 0 ? [text] : [text, "bad"];
}

function signedMember(signed: Known<"signed">, { gateways }: Status, nowMs: number): Shown {
  const { logs, logs_left_out: left, is_all: isAll, due_after_ms: dueMs } = signed;
  if (logs.length === 0) return [`no row is older than ${spanText(dueMs / 1_000)}`];
  const lines = logs.map(({ row, is_signed: isSigned }) => {
    const place = `row ${row.id} of ${ageText(row.time, nowMs)}`;
    return isSigned ? `up to ${place}` : `NOT SIGNED: ${place}`;
  });
  const seen = new Set(logs.map(({ log_id }) => log_id));
  const running = gateways.known && !isAll && left === 0 ? gateways.value : [];
  const unseen = running
    .filter(({ id }) => !seen.has(id))
    .map(({ id }) => `${id}: not among the last ${String(MAX_PAGE_SIZE)} rows`);
  const more = left === 0 ? [] : [`... ${counted(left, "more log")}`];
  const text = [...lines, ...unseen, ...more].map(oneLine).join("\n");
  return logs.every(({ is_signed: isSigned }) => isSigned) ? [text] : [text, "bad"];
}

function listText(head: string, lines: readonly string[]): string {
  const left = lines.length - SHOWN;
  const more = left > 0 ? [`... ${String(left)} more`] : [];
  return [head, ...lines.slice(0, SHOWN), ...more].map(oneLine).join("\n");
}

function countText(
  { length }: FirstPage<unknown>["items"],
  isAll: boolean,
  one: string,
  many = `${one}es`,
): string {
  return isAll ? counted(length, one, many) : `${String(length)} or more ${many}`;
}

function ageText(time: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(time)) / 1_000;
  return seconds < 1 ? "just now" : `${spanText(seconds)} ago`;
}
