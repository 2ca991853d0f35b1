import { signCheckpoint } from "@svc/audit-log/checkpoint";
import { emptyExcerptDigest } from "@svc/audit-log/excerpt-digest";
import { generateSigningKey, type NoteSigner, parseSigner, renderVerifierKey } from "@svc/audit-log/note-key";
import { signRemoval } from "@svc/audit-log/removal";
import { NO_FILTER } from "@svc/audit-log/row-filter";
import { genesisHash } from "@svc/audit-log/row-hash";
import { FakeClock } from "@svc/process/testing/fake-clock";
import { NO_CLAIMS } from "@svc/store/ports/claims";
import type { Store } from "@svc/store/ports/store";
import { MemoryDatabase } from "@svc/store/testing/memory-store";
import { expect, it } from "vitest";
import { noteVerifierKeys } from "./verifier-keys.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const clock = new FakeClock();

const keysOf = ({ audit }: Store, signer: NoteSigner) => {
  const directory = { notePublicKey: async (key: string) => [key] };
  return noteVerifierKeys({ directory, audit, clock }, signer.verifier);
};

function rowOf(kind: string, ageDays: number): string {
  const time = new Date(clock.now().getTime() - ageDays * DAY_MS).toISOString();
  return JSON.stringify({ v: 1, kind, time, org: "acme", decision: "deny", agent_id: "agent-1" });
}

/** Appends an old row, signs it, and removes it with a statement by the same signer. */
async function removeOldRow({ audit, ledger, logId, retention }: Store, signer: NoteSigner): Promise<void> {
  await ledger.commit([100, 1].map((days) => ({ row: rowOf("decision", days), claims: NO_CLAIMS })));
  const head = await audit.ownHead();
  if (head === null) throw new Error("expected a head");
  await audit.appendCheckpoint({ logId, size: head.size, note: signCheckpoint(signer, head) });
  const nowMs = clock.now().getTime();
  const finding = await retention.removable({ logId, block: 0, days: 30, nowMs });
  if (finding.kind !== "removable") throw new Error(finding.kind);
  const removedAt = clock.now().toISOString();
  const removals = finding.removables.map((removable) => ({
    ...removable,
    note: signRemoval(signer, { ...removable, logId, removedAt, days: 30 }),
    auditRow: rowOf("retention", 0),
  }));
  expect(await retention.remove({ logId, guard: finding.guard, removals })).toBe("removed");
}

it("lets an excerpt count the rows that another process removed", async () => {
  const database = new MemoryDatabase();
  const [earlier, own] = ["one", "two"].map((name) => parseSigner(name, generateSigningKey()));
  if (earlier === undefined || own === undefined) throw new Error("expected two signers");
  const first = database.open({ logId: "gw-1" });
  await keysOf(first, earlier);
  await removeOldRow(first, earlier);
  await first.close();

  const store = database.open({ logId: "gw-2" });
  const verifierKeys = await keysOf(store, own);
  const end = (await store.audit.heads()).find(({ logId }) => logId === "gw-1")?.size ?? 0;
  const state = { head: genesisHash("gw-1"), digest: emptyExcerptDigest("gw-1", "acme") };
  const range = { logId: "gw-1", from: 0, end, org: "acme", filter: NO_FILTER, ...state };
  expect(await store.audit.excerptRows({ ...range, keys: await verifierKeys() })).toMatchObject({
    kind: "lines",
    removed: 1,
  });
  // The statement of the other process proves nothing to who knows one key only.
  const keys = [renderVerifierKey(own.verifier)];
  expect(await store.audit.excerptRows({ ...range, keys })).toEqual({ kind: "broken_chain", seq: 0 });
  await store.close();
});
