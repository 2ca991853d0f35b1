import type { Severity } from "@svc/contract/severity";
import type { WebhookEvent, WebhookType } from "@svc/contract/webhook-event";

/** How urgent a notice is: the words of PagerDuty. */
export type NoticeLevel = "critical" | "error" | "warning" | "info";

/** What people are told about an event, before it has the form of a channel. */
export interface Notice {
  readonly org: string;
  readonly type: WebhookType;
  /** RFC 3339 UTC: when it happened. */
  readonly at: string;
  /** A chat and a mailbox get one message a minute about it. */
  readonly condition: string;
  /** A pager opens one incident for it, and closes it when it has ended. */
  readonly incident: string;
  readonly state: "raised" | "ended";
  /** Whether its end is an event of the same condition: each change is told at once, and nothing older. */
  readonly isFollowed: boolean;
  readonly level: NoticeLevel;
  /** What it happened to. */
  readonly source: string;
  readonly title: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** What the service does now, and what to do. */
  readonly consequence: string;
  readonly link: { readonly text: string; readonly url: string };
}

/** A notice as it is sent: the newest of `count` events of its condition. */
export interface Message {
  readonly notice: Notice;
  readonly count: number;
}

type Told = Omit<Notice, "org" | "type" | "at" | "link" | "isFollowed"> & {
  readonly path?: string;
  readonly isFollowed?: true;
};
type Teller = (data: Readonly<Record<string, unknown>>) => Told;

const LEVELS: Readonly<Record<Severity, NoticeLevel>> = {
  EMERGENCY: "critical",
  CRITICAL: "error",
  WARNING: "warning",
  INFO: "info",
};

const SEVERITY_CONSEQUENCES: Readonly<Record<Severity, string>> = {
  EMERGENCY: "A kill switch stops the session. It ends when an operator registers the agent again.",
  CRITICAL: "Its new calls are held until it sends heartbeats and authenticates again.",
  WARNING: "The agent still works. Without heartbeats its calls are held next.",
  INFO: "The agent works as usual again.",
};

/** What is said about each kind of event that channels are sent. */
const TELLERS = {
  "approval.requested": (data) => ({
    condition: `approval/${text(data, "agent_id")}`,
    incident: `approval/${text(data, "agent_id")}`,
    state: "raised",
    level: "warning",
    source: text(data, "agent_id"),
    title: `Approval needed: ${text(data, "agent_id")} wants to call ${text(data, "tool")}`,
    facts: facts(data, "agent_id", "namespace", "session_id", "tool", "reason", "policy_id", "rule_id"),
    consequence: "The call waits for a person. Without an answer it stays stopped.",
    path: `/approvals/${encodeURIComponent(text(data, "approval_id"))}`,
  }),
  "killswitch.activated": (data) => ({
    condition: killCondition(data),
    incident: `kill/${text(data, "kill_switch_id")}`,
    state: "raised",
    isFollowed: true,
    level: "critical",
    source: text(data, "target_id") || "every agent",
    title: `Kill switch: ${stoppedBy(data)} is stopped`,
    facts: facts(
      data,
      "kill_switch_id",
      "scope",
      "target_id",
      "reason",
      "activated_by",
      "trigger_source",
    ).concat(facts(data, "expires_at")),
    consequence: "Every gateway denies the calls that it covers, until it expires or somebody ends it.",
  }),
  "killswitch.deactivated": endedSwitch,
  "killswitch.expired": endedSwitch,
  "agent.severity_changed": (data) => {
    const severity = text(data, "severity") as Severity;
    return {
      condition: `severity/${text(data, "agent_id")}/${severity}`,
      incident: `severity/${text(data, "agent_id")}/${text(data, "session_id")}`,
      state: severity === "INFO" ? "ended" : "raised",
      level: LEVELS[severity],
      source: text(data, "agent_id"),
      title: `${severity}: agent ${text(data, "agent_id")}`,
      facts: facts(
        data,
        "agent_id",
        "namespace",
        "session_id",
        "previous_severity",
        "severity",
        "reason",
      ).concat(facts(data, "missed_heartbeats")),
      consequence: SEVERITY_CONSEQUENCES[severity],
    };
  },
  "agent.anomaly": (data) => ({
    condition: `anomaly/${text(data, "agent_id")}/${text(data, "anomaly")}`,
    incident: `anomaly/${text(data, "agent_id")}/${text(data, "anomaly")}`,
    state: "raised",
    level: "warning",
    source: text(data, "agent_id"),
    title: `Unusual behaviour: agent ${text(data, "agent_id")}`,
    facts: facts(data, "agent_id", "namespace", "session_id", "anomaly", "explanation"),
    consequence: "The severity of its session is at least WARNING. The agent still works.",
  }),
  "agent.quarantined": (data) => ({
    condition: `quarantine/${text(data, "agent_id")}`,
    incident: `quarantine/${text(data, "agent_id")}`,
    state: "raised",
    level: "error",
    source: text(data, "agent_id"),
    title: `Quarantine: agent ${text(data, "agent_id")}`,
    facts: facts(data, "agent_id", "namespace", "reason", "quarantined_by", "trigger_source", "expires_at"),
    consequence:
      "The agent has the read-only tools of its policy alone, until somebody lifts the quarantine.",
  }),
  "alert.opened": (data) => alertTold(data, "raised"),
  "alert.resolved": (data) => alertTold(data, "ended"),
} as const satisfies { readonly [Type in WebhookType]?: Teller };

/** Kinds of events that channels are sent. Webhook endpoints are sent every kind. */
export const NOTIFIED_TYPES: ReadonlySet<WebhookType> = new Set(
  Object.keys(TELLERS) as (keyof typeof TELLERS)[],
);

/** @param publicUrl where people open the service @returns null for a kind that channels are not sent */
export function noticeOf({ org_id, type, timestamp, data }: WebhookEvent, publicUrl: string): Notice | null {
  const teller: Teller | undefined = Object.hasOwn(TELLERS, type)
    ? TELLERS[type as keyof typeof TELLERS]
    : undefined;
  if (teller === undefined) return null;
  const { path, isFollowed = false, ...told } = teller(data);
  const link =
    path === undefined
      ? { text: "Open the service", url: `${publicUrl}/` }
      : { text: "Look at the call and decide", url: `${publicUrl}${path}` };
  return { org: org_id, type, at: timestamp, isFollowed, ...told, link };
}

/** One for each target: a message about one never stands for another that was stopped. */
function killCondition(data: Readonly<Record<string, unknown>>): string {
  return data["account_wide"] === true
    ? "kill/account"
    : `kill/${text(data, "scope")}/${text(data, "target_id")}`;
}

function endedSwitch(data: Readonly<Record<string, unknown>>): Told {
  return {
    condition: killCondition(data),
    incident: `kill/${text(data, "kill_switch_id")}`,
    state: "ended",
    isFollowed: true,
    level: "info",
    source: text(data, "target_id") || "every agent",
    title: `Kill switch ended: it stops ${stoppedBy(data)} no more`,
    facts: facts(data, "kill_switch_id", "scope", "target_id", "reason", "deactivated_by", "trigger_source"),
    consequence:
      "Policies decide the calls again that no other switch covers: svc-cli kill list shows those.",
  };
}

function alertTold(data: Readonly<Record<string, unknown>>, state: Notice["state"]): Told {
  const subject = text(data, "subject");
  return {
    condition: `alert/${text(data, "condition")}/${subject}`,
    incident: `alert/${text(data, "alert_id")}`,
    state,
    isFollowed: true,
    level: text(data, "severity") === "critical" ? "critical" : "warning",
    source: subject || "svc",
    title: `${state === "ended" ? "Resolved" : "Alert"}: ${text(data, "summary")}`,
    facts: facts(
      data,
      "alert_id",
      "condition",
      "severity",
      "subject",
      "agent_id",
      "opened_at",
      "resolved_at",
    ),
    consequence:
      state === "ended"
        ? "The condition has ended. There is nothing to do."
        : "RUNBOOK.md says what to do first. The alert is resolved by itself when the condition ends.",
  };
}

function text(data: Readonly<Record<string, unknown>>, name: string): string {
  const value = data[name];
  return typeof value === "string" ? value : "";
}

function stoppedBy(data: Readonly<Record<string, unknown>>): string {
  if (data["account_wide"] === true) return "every agent of the organization";
  return `${text(data, "scope")} ${text(data, "target_id")}`;
}

/** The members that say something, by their names with blanks. */
function facts(
  data: Readonly<Record<string, unknown>>,
  ...names: readonly string[]
): readonly (readonly [string, string])[] {
  return names.flatMap((name) => {
    const value = data[name];
    const known = typeof value === "number" ? String(value) : value;
    return typeof known === "string" && known !== "" ? [[name.replaceAll("_", " "), known] as const] : [];
  });
}

/** @param count above 1: the newest of several calls that wait must not hide the others */
export function linkedNotice(notice: Notice, count: number, publicUrl: string): Notice {
  if (count === 1 || notice.type !== "approval.requested") return notice;
  return { ...notice, link: { text: "Look at the calls and decide", url: `${publicUrl}/approvals` } };
}

/** What a test says. It is about nothing that happened. */
export function testNotice(
  org: string,
  { publicUrl, at }: { readonly publicUrl: string; readonly at: string },
): Notice {
  return {
    org,
    type: "agent.anomaly",
    at,
    condition: "test",
    incident: "test",
    state: "raised",
    isFollowed: false,
    level: "info",
    source: "svc",
    title: "Test message of Svc",
    facts: [["organization", org]],
    consequence: "Nothing has happened. Somebody tests whether this channel works.",
    link: { text: "Open the service", url: `${publicUrl}/` },
  };
}
