import { setTimeout as delay } from "node:timers/promises";
import { auditQueryRoutes } from "@svc/api/audit-query-routes";
import type { RowMembers } from "@svc/contract/audit-answer";
import { CommandFailure } from "../frame/exit-code.ts";
import type { ControlClient } from "./control-client.ts";

/** The audit row that records a change, or why it is not known. */
export type ChangeRow =
  | { readonly id: string; readonly why: null }
  | { readonly id: null; readonly why: string };

/** Milliseconds in which the index follows the log. */
const INDEX_MS = 3_000;

/** Milliseconds between two questions. */
const PAUSE_MS = 100;

type Query = Readonly<Record<string, string>>;

/**
 * The ids of the newest rows before a change: none of them records it. Empty when they cannot be read.
 */
export async function rowsBefore(
  client: Pick<ControlClient, "ask">,
  query: Query,
): Promise<ReadonlySet<string>> {
  try {
    const { rows } = (await client.ask(auditQueryRoutes.listAuditRows, { query })).body;
    return new Set(rows.map(({ id }) => id));
  } catch (fault) {
    // What keeps a key from these rows keeps it from the row of the change.
    if (fault instanceof CommandFailure) return new Set();
    throw fault;
  }
}

/**
 * The newest row that records a change. The change has been made: it does not fail because nobody can read
 * its audit row.
 * @param before rows that record earlier changes, where `isIt` cannot tell them apart
 */
export async function findChangeRow(
  client: Pick<ControlClient, "ask">,
  query: Query,
  isIt: (row: RowMembers) => boolean,
  before: ReadonlySet<string> = new Set(),
): Promise<ChangeRow> {
  const endMs = performance.now() + INDEX_MS;
  for (;;) {
    try {
      const { rows } = (await client.ask(auditQueryRoutes.listAuditRows, { query })).body;
      const found = rows.find(({ id, row }) => !before.has(id) && isIt(row));
      if (found !== undefined) return { id: found.id, why: null };
    } catch (fault) {
      if (!(fault instanceof CommandFailure)) throw fault;
      const isRefused = fault.outcome === "refused";
      return { id: null, why: isRefused ? "this key may not read the audit log" : fault.message };
    }
    if (performance.now() >= endMs) return { id: null, why: "the index does not have it yet" };
    await delay(PAUSE_MS);
  }
}

/** For people. */
export function changeRowText({ id, why }: ChangeRow): string {
  return id ?? `not known: ${why}`;
}
