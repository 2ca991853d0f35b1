import type { auditRoutes } from "@svc/api/audit-routes";
import type { Excerpt } from "@svc/audit-log/excerpt";
import type { RowFilter } from "@svc/audit-log/row-filter";
import type { AuditExportQuery } from "@svc/contract/audit-export-query";
import { formatDecisionId, parseDecisionId } from "@svc/contract/decision-id";
import { problem } from "@svc/contract/problem";
import { auditExcerpt } from "@svc/control-plane/audit-excerpt";
import { auditExport } from "@svc/control-plane/audit-export";
import { callStore, NOT_READ } from "@svc/control-plane/call-store";
import { ocsfExport } from "@svc/control-plane/ocsf-export";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import { refuse } from "@svc/control-plane/refusal";
import type { AuditStore, StoredCheckpoint } from "@svc/store/ports/audit-store";
import type { KeyStore } from "@svc/store/ports/key-store";
import type { RowPosition } from "@svc/store/ports/row-position";
import { ConcurrencyLimit } from "../concurrency-limit.ts";
import { whenOver } from "../when-over.ts";
import type { Handlers, ProblemReply, Reply, RequestContext } from "./handler.ts";

export interface AuditHandlersParts {
  readonly audit: AuditStore;
  readonly keys: Pick<KeyStore, "hasOtherOrganization">;
  /** Every key that this server ever signed with, and those that other processes noted in the store. */
  readonly verifierKeys: () => Promise<readonly string[]>;
  /** Signs the log as it stands, so that an export of it can be verified to its end. */
  readonly checkpoint: () => Promise<void>;
  /** Signs what an organization's excerpt of a shared log holds. */
  readonly signExcerpt: (excerpt: Excerpt) => string;
}

/** Seconds after which a key whose export was refused may ask again. */
const RETRY_AFTER_S = "1";

/** An export reads the whole log. Several at once would slow each other and all other requests down. */
const ALREADY_EXPORTING: ProblemReply = {
  kind: "problem",
  problem: problem("too_many_requests", "an export with this key is already running; wait until it ends"),
  headers: { "retry-after": RETRY_AFTER_S },
};

const BAD_CURSOR: ProblemReply = {
  kind: "problem",
  problem: problem("invalid_request", "cursor: expected the next_cursor of a page of this list"),
};

/** The whole log as an export, its checkpoints, and the keys that they are verified with. */
export function auditHandlers(parts: AuditHandlersParts): Handlers<typeof auditRoutes> {
  const { audit, verifierKeys } = parts;
  const running = new ConcurrencyLimit(1);
  return {
    exportAuditLog: ({ query }, context) => exportLog(parts, running, { ...context, query }),
    listCheckpoints: async ({ query: { limit, cursor } }, { ports }) => {
      const from = cursor === undefined ? null : parseDecisionId(cursor);
      if (cursor !== undefined && from === null) return BAD_CURSOR;
      const read = await callStore(ports, NOT_READ, () => checkpointsFrom(audit, from, limit + 1));
      return read.kind === "problem" ? read : replyCheckpoints(read.value, limit);
    },
    getVerifierKeys: async (_input, { ports }) => {
      const keys = await callStore(ports, NOT_READ, verifierKeys);
      return keys.kind === "problem" ? keys : { kind: "json", status: 200, body: { keys: keys.value } };
    },
  };
}

interface ExportContext extends RequestContext {
  readonly query: AuditExportQuery;
}

async function exportLog(
  parts: AuditHandlersParts,
  running: ConcurrencyLimit,
  { principal: { org, id }, ports, over, query }: ExportContext,
): Promise<Reply<typeof auditRoutes.exportAuditLog>> {
  const { audit, keys } = parts;
  const { agent_id: agentId, kind, log_id: logId, since, until, format } = query;
  const filter = definedMembers({ agentId, kind, logId, since, until });
  if (logId !== undefined && !(await audit.heads()).some((head) => head.logId === logId))
    return refuse(
      "not_found",
      `There is no log ${logId}. The checkpoints (GET audit/checkpoints) name every log.`,
    );
  const isShared = await keys.hasOtherOrganization(org);
  const trusted = await callStore(ports, NOT_READ, parts.verifierKeys);
  if (trusted.kind === "problem") return trusted;
  const end = running.begin(`${org}/${id}`);
  if (end === null) return ALREADY_EXPORTING;
  whenOver(over, end);
  const pieces = piecesOf(parts, { org, filter, isShared, format, verifierKeys: trusted.value });
  // A fault before the first piece still has a status of its own.
  const first = await callStore(ports, NOT_READ, () => pieces.next());
  if (first.kind === "problem") return first;
  const all = begun(first.value, pieces, ports.log);
  return { kind: "stream", status: 200, mediaType: "application/x-ndjson", pieces: all };
}

interface ExportOrder {
  readonly org: string;
  readonly filter: RowFilter;
  /** Whether rows of other organizations are in the logs. */
  readonly isShared: boolean;
  readonly format: AuditExportQuery["format"];
  readonly verifierKeys: readonly string[];
}

function piecesOf(
  { audit, checkpoint: sign, signExcerpt }: AuditHandlersParts,
  { org, filter, isShared, format, verifierKeys }: ExportOrder,
) {
  if (format === "ocsf") return ocsfExport({ audit, org, filter });
  const isChain = !isShared && Object.keys(filter).every((member) => member === "logId");
  return isChain
    ? auditExport({ audit, org, logId: filter.logId ?? null, sign })
    : auditExcerpt({ audit, org, filter, verifierKeys, sign, signExcerpt });
}

/** The members that have a value. */
function definedMembers<Name extends string>(
  members: Readonly<Record<Name, string | undefined>>,
): Readonly<Partial<Record<Name, string>>> {
  const defined = Object.entries<string | undefined>(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as Partial<Record<Name, string>>;
}

/** Passes the pieces on. After the answer has begun, a fault can only break the answer off and be logged. */
async function* begun(
  first: IteratorResult<Uint8Array>,
  others: AsyncGenerator<Uint8Array>,
  log: ControlPlanePorts["log"],
): AsyncGenerator<Uint8Array> {
  try {
    if (first.done !== true) yield first.value;
    yield* others;
  } catch (error) {
    log.error({ err: error }, "an export broke off");
    throw error;
  }
}

/** Ascending by log and size. A cursor names the last checkpoint of the page before, as `<log id>.<size>`. */
function replyCheckpoints(
  found: readonly StoredCheckpoint[],
  limit: number,
): Reply<typeof auditRoutes.listCheckpoints> {
  const last = found.length > limit ? found[limit - 1] : undefined;
  const body = {
    checkpoints: found.slice(0, limit).map(({ logId, size, note }) => ({ log_id: logId, size, note })),
    next_cursor: last === undefined ? null : formatDecisionId({ logId: last.logId, seq: last.size }),
  };
  return { kind: "json", status: 200, body };
}

async function checkpointsFrom(
  audit: AuditStore,
  from: RowPosition | null,
  count: number,
): Promise<readonly StoredCheckpoint[]> {
  const found: StoredCheckpoint[] = [];
  const heads = (await audit.heads()).toSorted((one, other) => (one.logId < other.logId ? -1 : 1));
  for (const { logId } of heads) {
    if (from !== null && logId < from.logId) continue;
    const afterSize = from?.logId === logId ? from.seq : 0;
    found.push(...(await audit.checkpoints(logId, afterSize, count - found.length)));
    if (found.length >= count) break;
  }
  return found;
}
