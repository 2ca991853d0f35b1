import { Readable } from "node:stream";
import { signCheckpoint } from "@svc/audit-log/checkpoint";
import { type Excerpt, signExcerpt } from "@svc/audit-log/excerpt";
import type { LogReport } from "@svc/audit-log/log-report";
import { generateSigningKey, parseSigner, renderVerifierKey } from "@svc/audit-log/note-key";
import { parseExcerpt } from "@svc/audit-log/parse-excerpt";
import { NO_FILTER, type RowFilter } from "@svc/audit-log/row-filter";
import { verifyExcerpt } from "@svc/audit-log/verify-excerpt";
import type { AuditStore } from "@svc/store/ports/audit-store";
import { NO_CLAIMS } from "@svc/store/ports/claims";
import { openMemoryStore } from "@svc/store/testing/memory-store";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { auditExcerpt } from "./audit-excerpt.ts";

const MAX_PIECE_BYTES = 64 * 1024;

const signer = parseSigner("svc-test", generateSigningKey());
const ORGS = ["acme", "globex", "initech"] as const;

function rowOf(org: string, at: number, bytes = 0): string {
  const time = "2026-01-02T03:04:05.678Z";
  return JSON.stringify({ v: 1, kind: "key", time, org, secret: `${org}-${at}`, args: "x".repeat(bytes) });
}

/** A log that grows as a test says, and what signs its head. */
function emptyLog() {
  const { audit, ledger } = openMemoryStore({ logId: "gw" });
  const append = async (rows: readonly string[]): Promise<void> => {
    await ledger.commit(rows.map((row) => ({ row, claims: NO_CLAIMS })));
  };
  const sign = async (): Promise<void> => {
    const [head] = await audit.heads();
    if (head === undefined || head.size === 0) return;
    await audit.appendCheckpoint({ logId: "gw", size: head.size, note: signCheckpoint(signer, head) });
  };
  return { audit, append, sign };
}

interface Excerpted {
  readonly text: string;
  readonly reports: readonly LogReport[];
}

async function excerptOf(
  audit: AuditStore,
  org: string,
  sign: () => Promise<void> = async () => undefined,
  filter: RowFilter = NO_FILTER,
): Promise<Excerpted> {
  let text = "";
  const signed = (excerpt: Excerpt): string => signExcerpt(signer, excerpt);
  const verifierKeys = [renderVerifierKey(signer.verifier)];
  const request = { audit, org, filter, verifierKeys, sign, signExcerpt: signed };
  for await (const piece of auditExcerpt(request)) {
    expect(piece.length).toBeLessThanOrEqual(MAX_PIECE_BYTES);
    text += Buffer.from(piece).toString();
  }
  const records = parseExcerpt(Readable.from([Buffer.from(text)]));
  const evidence = Readable.from([]);
  return { text, reports: await verifyExcerpt({ records, evidence, keys: [signer.verifier] }) };
}

describe("auditExcerpt", () => {
  // proves AUD-32, AUD-33
  it("shows each organization all of its rows and nothing of others, and counts those", async () => {
    const owners = fc.array(fc.constantFrom(...ORGS), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(owners, fc.nat(40), async (orgs, signedAt) => {
        const { audit, append, sign } = emptyLog();
        for (const [at, org] of orgs.entries()) {
          await append([rowOf(org, at)]);
          if (at === signedAt) await sign();
        }
        for (const org of ORGS) {
          const { text, reports } = await excerptOf(audit, org, sign);
          const rows = orgs.filter((owner) => owner === org).length;
          expect(reports).toMatchObject([
            { logId: "gw", verdict: "intact", rows, leftOut: orgs.length - rows },
          ]);
          for (const other of ORGS) if (other !== org) expect(text).not.toContain(other);
          for (const [at, owner] of orgs.entries())
            if (owner === org) expect(text).toContain(`${org}-${at}\\"`);
        }
      }),
      { numRuns: runs(30, 300) },
    );
  });

  it("ends with the last row that was signed for it, though rows arrive meanwhile", async () => {
    const { audit, append, sign } = emptyLog();
    await append([rowOf("acme", 0), rowOf("globex", 1)]);
    const { reports } = await excerptOf(audit, "acme", async () => {
      await append([rowOf("acme", 2)]);
      await sign();
      await append([rowOf("acme", 3)]);
    });
    expect(reports).toMatchObject([{ rows: 2, leftOut: 1 }]);
  });

  it("reads large rows in pages, and hands them over in pieces of 64 KiB", async () => {
    const { audit, append } = emptyLog();
    for (let at = 0; at < 6; at += 1) await append([rowOf(at % 2 === 0 ? "acme" : "globex", at, 600_000)]);
    expect((await excerptOf(audit, "acme")).reports).toMatchObject([{ rows: 3, leftOut: 3 }]);
  });

  // proves AUD-34
  it.each<[string, Partial<AuditStore>, string]>([
    [
      "a broken chain",
      { excerptRows: async () => ({ kind: "broken_chain", seq: 1 }) },
      "row 1 is not what was written",
    ],
    [
      "another head than the stored one",
      { heads: async () => [{ logId: "gw", size: 2, hash: Buffer.alloc(32) }] },
      "its first 2 rows have another hash than the one recorded",
    ],
  ])("signs nothing about a log with %s", async (_, changes, why) => {
    const { audit, append } = emptyLog();
    await append([rowOf("acme", 0), rowOf("globex", 1)]);
    await expect(excerptOf({ ...audit, ...changes }, "acme")).rejects.toThrow(
      `no excerpt of the log gw is signed: ${why}; verify the whole log`,
    );
  });
});
