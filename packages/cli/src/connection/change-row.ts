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

/**
 * The newest row that records a change. The change has been made: it does not fail because nobody can read
 * its audit row.
 */
export async function findChangeRow(
  client: Pick<ControlClient, "ask">,
  query: Readonly<Record<string, string>>,
  isIt: (row: RowMembers) => boolean,
): Promise<ChangeRow> {
  const endMs = performance.now() + INDEX_MS;
  for (;;) {
    try {
      const { rows } = (await client.ask(auditQueryRoutes.listAuditRows, { query })).body;
      const found = rows.find(({ row }) => isIt(row));
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
