import { setTimeout as delay } from "node:timers/promises";
import { auditQueryRoutes } from "@svc/api/audit-query-routes";
import { keyRoutes } from "@svc/api/key-routes";
import type { RowMembers } from "@svc/contract/audit-answer";
import { CommandFailure } from "../frame/exit-code.ts";
import type { Member } from "../frame/tables.ts";
import type { ControlClient } from "./control-client.ts";

/** The audit row that records a change, or why it is not known. */
export type ChangeRow =
  | { readonly id: string; readonly why: null }
  | { readonly id: null; readonly why: string };

const MAY_NOT_READ = "this key may not read the audit log";

/** A key that may not read the log has done all right, and its holder can do nothing about it. */
const FORBIDDEN = { id: null, why: MAY_NOT_READ } as const;

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
  if (!(await mayReadRows(client))) return new Set();
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
  if (!(await mayReadRows(client))) return FORBIDDEN;
  const endMs = performance.now() + INDEX_MS;
  for (;;) {
    try {
      const { rows } = (await client.ask(auditQueryRoutes.listAuditRows, { query })).body;
      const found = rows.find(({ id, row }) => !before.has(id) && isIt(row));
      if (found !== undefined) return { id: found.id, why: null };
    } catch (fault) {
      if (!(fault instanceof CommandFailure)) throw fault;
      return fault.outcome === "refused" ? FORBIDDEN : { id: null, why: fault.message };
    }
    if (performance.now() >= endMs) return { id: null, why: "the index does not have it yet" };
    await delay(PAUSE_MS);
  }
}

/** What each client was told about its key. */
const READERS = new WeakMap<object, Promise<boolean>>();

/** Whether the key may read the log. A question that the server refuses is a line in its own log. */
function mayReadRows(client: Pick<ControlClient, "ask">): Promise<boolean> {
  const known = READERS.get(client) ?? askScopes(client);
  READERS.set(client, known);
  return known;
}

async function askScopes(client: Pick<ControlClient, "ask">): Promise<boolean> {
  try {
    return (await client.ask(keyRoutes.whoAmI)).body.scopes.includes("audit:read");
  } catch (fault) {
    // The log itself then says who may read it.
    if (fault instanceof CommandFailure) return true;
    throw fault;
  }
}

/** For people: a line, or none where there is nothing to say. */
export function changeRowMember({ id, why }: ChangeRow): readonly Member[] {
  return why === MAY_NOT_READ ? [] : [["audit row", id ?? `not known: ${why}`]];
}

/** The same for commands whose lines have names of ten characters. */
export function changeRowLine(row: ChangeRow): string {
  return changeRowMember(row)
    .map(([name, text]) => `${name} ${text}\n`)
    .join("");
}
