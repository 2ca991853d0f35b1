import { formatDecisionId, parseDecisionId } from "@svc/contract/decision-id";
import { problem } from "@svc/contract/problem";
import { auditExport } from "@svc/control-plane/audit-export";
import { callStore, NOT_READ } from "@svc/control-plane/call-store";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import type { AuditStore, StoredCheckpoint } from "@svc/store/ports/audit-store";
import type { KeyStore } from "@svc/store/ports/key-store";
import type { RowPosition } from "@svc/store/ports/row-position";
import { Hono } from "hono";
import type { ApiContext, ApiEnvironment } from "../api-context.ts";
import { OneAtATime } from "../one-at-a-time.ts";
import { json, problemAnswer } from "./answers.ts";
import { PAGE_PARAMETERS, readPage, takes } from "./read-page.ts";

export interface AuditRoutesParts {
  readonly audit: AuditStore;
  readonly keys: Pick<KeyStore, "keys">;
  /** Every key that checkpoints of this server were ever signed with, oldest first. */
  readonly verifierKeys: readonly string[];
  /** Signs the log as it stands, so that an export of it can be verified to its end. */
  readonly checkpoint: () => Promise<void>;
}

/** Seconds after which a key whose export was refused may ask again. */
const RETRY_AFTER_S = "1";

/** An export reads the whole log. Several at once would slow each other and all other requests down. */
const ALREADY_EXPORTING = problem(
  "too_many_requests",
  "an export with this key is already running; wait until it ends",
);

const SHARED_LOG = problem(
  "forbidden",
  "Several organizations use this server. Their rows share one chain, which can only be exported whole. " +
    "Run a server for each organization whose log is to be exported.",
);

/** `audit`: the whole log as an export, its checkpoints, and the keys that they are verified with. */
export function auditRoutes(parts: AuditRoutesParts): Hono<ApiEnvironment> {
  const { audit, keys, verifierKeys, checkpoint } = parts;
  const running = new OneAtATime();
  return new Hono<ApiEnvironment>()
    .get("/export", takes(), async (context) => {
      const { outgoing } = context.env;
      const { principal, ports } = context.var;
      const { org, id } = principal;
      if ((await keys.keys()).some((key) => key.org !== org)) return problemAnswer(context, SHARED_LOG);
      const end = running.begin(`${org}/${id}`);
      if (end === null) return problemAnswer(context, ALREADY_EXPORTING, { "retry-after": RETRY_AFTER_S });
      if (outgoing.closed) end();
      else outgoing.once("close", end);
      const pieces = auditExport({ audit, org, sign: checkpoint });
      const first = await callStore(ports, NOT_READ, () => pieces.next());
      if (first.kind === "problem") return problemAnswer(context, first.problem);
      const headers = {
        "content-type": "application/x-ndjson",
        "cache-control": "no-store",
        // Without this header the first pieces are read before the status is sent, and a fault in
        // them becomes text.
        "transfer-encoding": "chunked",
      };
      // The server does not read ahead of the client, and it stops when the client leaves.
      return new Response(ReadableStream.from(begun(first.value, pieces, ports.log)), { headers });
    })
    .get("/checkpoints", takes(...PAGE_PARAMETERS), (context) => checkpoints(audit, context))
    .get("/public-key", takes(), (context) => json(context, 200, { keys: verifierKeys }));
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
async function checkpoints(audit: AuditStore, context: ApiContext): Promise<Response> {
  const page = readPage(context);
  if (page.kind === "problem") return problemAnswer(context, page.problem);
  const { limit, after } = page.value;
  const from = after === null ? null : parseDecisionId(after);
  if (after !== null && from === null) {
    return problemAnswer(
      context,
      problem("invalid_request", "cursor: expected the next_cursor of a page of this list"),
    );
  }
  const { ports } = context.var;
  const read = await callStore(ports, NOT_READ, () => checkpointsFrom(audit, from, limit + 1));
  if (read.kind === "problem") return problemAnswer(context, read.problem);
  const found = read.value;
  const last = found.length > limit ? found[limit - 1] : undefined;
  return json(context, 200, {
    checkpoints: found.slice(0, limit).map(({ logId, size, note }) => ({ log_id: logId, size, note })),
    next_cursor: last === undefined ? null : formatDecisionId({ logId: last.logId, seq: last.size }),
  });
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
