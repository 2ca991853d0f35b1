import { createHash } from "node:crypto";

/** One row of an audit export, as this independent reader sees it. */
export interface ExportedRow {
  readonly logId: string;
  readonly seq: number;
  readonly row: Record<string, unknown>;
}

/**
 * Reads and checks an audit export with nothing but SHA-256: shares no code with the product.
 * @throws at the first line that is out of sequence or does not chain.
 */
export async function checkedExport(url: string): Promise<readonly ExportedRow[]> {
  const response = await fetch(`${url}/api/v1/audit/export`);
  if (response.status !== 200) throw new Error(`audit export answered ${String(response.status)}`);
  const lines = (await response.text()).trimEnd().split("\n");
  const heads = new Map<string, { seq: number; hash: string }>();
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .flatMap((line) => {
      if (typeof line["row"] !== "string") return [];
      const { log_id, seq, prev_hash, hash, row } = line as Record<string, string> & { seq: number };
      const head = heads.get(log_id ?? "") ?? { seq: -1, hash: genesis(log_id ?? "") };
      const recomputed = createHash("sha256")
        .update(Buffer.from(head.hash, "hex"))
        .update(row ?? "", "utf8")
        .digest("hex");
      if (seq !== head.seq + 1 || prev_hash !== head.hash || hash !== recomputed) {
        throw new Error(`the chain of ${String(log_id)} breaks at ${String(seq)}`);
      }
      heads.set(log_id ?? "", { seq, hash: recomputed });
      return [{ logId: log_id ?? "", seq, row: JSON.parse(row ?? "") as Record<string, unknown> }];
    });
}

function genesis(logId: string): string {
  return createHash("sha256").update(`svc-audit-log/v1\n${logId}\n`).digest("hex");
}
