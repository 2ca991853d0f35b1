import type { ApprovalItem } from "@svc/contract/approval";
import { expect, it } from "vitest";
import type { ControlClient } from "../connection/control-client.ts";
import { NewApprovals } from "./watch-approvals.ts";

const START_MS = Date.parse("2026-11-22T09:00:00.000Z");

const approval = (id: string, atSeconds: number, status = "pending") =>
  ({ id, status, requested_at: new Date(START_MS + atSeconds * 1_000).toISOString() }) as ApprovalItem;

/** Lists approvals as the server does, in pages of two, and counts the pages. */
function serverOf(approvals: ApprovalItem[]) {
  const asked = { pages: 0 };
  const ask = async (_: unknown, { query }: { query: Record<string, string | undefined> }) => {
    asked.pages += 1;
    const listed = approvals
      .filter(({ status }) => query["status"] === undefined || status === query["status"])
      .toSorted((left, right) => right.requested_at.localeCompare(left.requested_at));
    const from = Number(query["cursor"] ?? "0");
    const next_cursor = from + 2 < listed.length ? String(from + 2) : null;
    return { body: { approvals: listed.slice(from, from + 2), next_cursor } };
  };
  return { asked, client: { ask } as unknown as ControlClient };
}

const ids = (list: readonly ApprovalItem[]) => list.map(({ id }) => id);

async function look(approvals: NewApprovals): Promise<readonly string[]> {
  const found = await approvals.next();
  for (const one of found) approvals.shown(one);
  return ids(found);
}

// proves CLI-56
it("finds each approval once, also one that was stored late or opened while nobody looked", async () => {
  const list = [approval("old", 0), approval("held", 5, "suspended"), approval("done", 9, "denied")];
  const { client } = serverOf(list);
  const approvals = new NewApprovals(client, {});
  expect(ids(await approvals.open())).toEqual(["old", "held"]);
  expect(await look(approvals)).toEqual([]);
  list.push(approval("new", 20), approval("late", 3), approval("gone", 21, "approved"));
  expect(await look(approvals)).toEqual(["late", "new"]);
  expect(await look(approvals)).toEqual([]);
  for (let at = 0; at < 50; at += 1) list.push(approval(`n${String(at)}`, 100 + at * 60));
  expect(await look(approvals)).toHaveLength(50);
  expect(await look(approvals)).toEqual([]);
});

// proves CLI-56
it("finds an approval again until it was shown", async () => {
  const list = [approval("a", 0)];
  const { client } = serverOf(list);
  const approvals = new NewApprovals(client, {});
  await approvals.open();
  list.push(approval("b", 1));
  expect(ids(await approvals.next())).toEqual(["b"]);
  expect(ids(await approvals.next())).toEqual(["b"]);
});

// proves CLI-56
it("begins with the first approval of an empty server, and reads no page that it knows", async () => {
  const list: ApprovalItem[] = [];
  const { client, asked } = serverOf(list);
  const approvals = new NewApprovals(client, {});
  expect(await approvals.open()).toEqual([]);
  list.push(approval("first", 0));
  expect(await look(approvals)).toEqual(["first"]);
  for (let at = 0; at < 1_000; at += 1) list.push(approval(`n${String(at)}`, at * 60));
  await look(approvals);
  asked.pages = 0;
  await look(approvals);
  expect(asked.pages).toBeLessThanOrEqual(2);
});
