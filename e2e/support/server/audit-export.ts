import { createHash } from "node:crypto";
import type { Answer } from "./api.ts";
import { authorizationFor } from "./role-keys.ts";

/** One row of an audit export, as this independent reader sees it. */
export interface ExportedRow {
  readonly logId: string;
  readonly seq: number;
  readonly row: Readonly<Record<string, unknown>>;
}

/**
 * Reads and checks an audit export with nothing but SHA-256: shares no code with the product.
 * @throws at the first line that is out of sequence or does not chain, and when the end is missing.
 */
export async function checkedExport(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly ExportedRow[]> {
  const address = `${url}/api/v1/audit/export`;
  const response = await fetch(address, {
    headers: { ...(await authorizationFor("GET", address)), ...headers },
  });
  if (response.status !== 200) throw new Error(`audit export answered ${String(response.status)}`);
  return checkedRows(await response.text());
}

interface Line {
  readonly log_id: string;
  readonly seq: number;
  readonly prev_hash: string;
  readonly hash: string;
  readonly row?: string;
  readonly end?: { readonly rows: number };
}

/** The same for the text of an export. */
export function checkedRows(text: string): readonly ExportedRow[] {
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  const heads = new Map<string, { seq: number; hash: string }>();
  const rows: ExportedRow[] = [];
  for (const { log_id, seq, prev_hash, hash, row } of lines) {
    if (row === undefined) continue;
    const head = heads.get(log_id) ?? { seq: -1, hash: sha256(`svc-audit-log/v1\n${log_id}\n`) };
    const recomputed = sha256(Buffer.concat([Buffer.from(head.hash, "hex"), Buffer.from(row, "utf8")]));
    if (seq !== head.seq + 1 || prev_hash !== head.hash || hash !== recomputed) {
      throw new Error(`the chain of ${log_id} breaks at ${String(seq)}`);
    }
    heads.set(log_id, { seq, hash });
    rows.push({ logId: log_id, seq, row: JSON.parse(row) as Record<string, unknown> });
  }
  if (lines.at(-1)?.end?.rows !== rows.length) throw new Error("the export is cut short");
  return rows;
}

function sha256(bytes: string | Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The ids of the answers that let a call run. */
export function allowedIds(answers: readonly (Answer | null)[]): readonly string[] {
  return answers
    .filter((answer) => answer?.body["decision"] === "allow")
    .map((answer) => String(answer?.body["decision_id"]));
}

/** Which of these allows the log does not bear out with a row of its own that says allow. Must be none. */
export function withoutRow(ids: Iterable<string>, rows: readonly ExportedRow[]): readonly string[] {
  const durable = new Set(
    rows
      .filter(({ row }) => row["kind"] === "decision" && row["decision"] === "allow")
      .map(({ logId, seq }) => `${logId}.${String(seq)}`),
  );
  const seen = new Set<string>();
  return [...ids].filter((id) => {
    const shared = seen.has(id);
    seen.add(id);
    return shared || !durable.has(id);
  });
}
