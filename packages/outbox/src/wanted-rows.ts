import { WEBHOOK_EVENTS, type WebhookType } from "@svc/contract/webhook-event";
import type { WantedDecisions, WantedRows } from "@svc/store/ports/event-rows";

/** What rows a destination takes. Each filter that is null leaves nothing out. */
export interface RowFilters {
  readonly org: string;
  readonly events: ReadonlySet<WebhookType>;
  readonly agents: ReadonlySet<string> | null;
  readonly namespaces: ReadonlySet<string> | null;
  /** Of the decisions, and not of the requests for approvals. */
  readonly decisions: ReadonlySet<string> | null;
}

/** The rows that events of a destination can be made of, and few others. */
export function wantedRowsOf(filters: RowFilters): WantedRows {
  const { org, events, agents, namespaces } = filters;
  const kinds = rowKindsOf(events);
  if (!kinds.includes("decision")) return { kinds, decisions: [] };
  const decisions = decisionsOf(filters);
  return { kinds, decisions: [{ org, agents: listOf(agents), namespaces: listOf(namespaces), decisions }] };
}

/** The rows that at least one destination takes. */
export function unionOf(all: readonly WantedRows[]): WantedRows {
  const kinds = new Set(all.flatMap((each) => each.kinds ?? []));
  const decisions = new Map<string, WantedDecisions>();
  for (const each of all.flatMap((one) => one.decisions ?? [])) decisions.set(JSON.stringify(each), each);
  return {
    kinds: all.some((each) => each.kinds === null) ? null : [...kinds].toSorted(),
    decisions: all.some((each) => each.decisions === null) ? null : [...decisions.values()],
  };
}

function rowKindsOf(events: ReadonlySet<WebhookType>): readonly string[] {
  const names = [...events].flatMap((type) => WEBHOOK_EVENTS[type].rows);
  return [...new Set(names.map((name) => name.replace(/\..*/, "")))];
}

function decisionsOf({ events, decisions }: RowFilters): readonly string[] | null {
  const requests = events.has("approval.requested") ? ["pause"] : [];
  if (!events.has("policy.decision")) return requests;
  return decisions === null ? null : [...new Set([...decisions, ...requests])];
}

function listOf(names: ReadonlySet<string> | null): readonly string[] | null {
  return names === null ? null : [...names].toSorted();
}
