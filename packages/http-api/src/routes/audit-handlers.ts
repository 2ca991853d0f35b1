import type { auditRoutes } from "@svc/api/audit-routes";
import { problem } from "@svc/contract/problem";
import { callStore, NOT_READ } from "@svc/control-plane/call-store";
import { exportLog, type LogExportParts } from "@svc/control-plane/export-log";
import { listCheckpoints } from "@svc/control-plane/list-checkpoints";
import { ConcurrencyLimit } from "../concurrency-limit.ts";
import { whenOver } from "../when-over.ts";
import type { Handlers, ProblemReply } from "./handler.ts";
import { listed, pageOf } from "./reply-found.ts";

/** Seconds after which a key whose export was refused may ask again. */
const RETRY_AFTER_S = "1";

/** An export reads the whole log. Several at once would slow each other and all other requests down. */
const ALREADY_EXPORTING: ProblemReply = {
  kind: "problem",
  problem: problem("too_many_requests", "an export with this key is already running; wait until it ends"),
  headers: { "retry-after": RETRY_AFTER_S },
};

/** The whole log as an export, its checkpoints, and the keys that they are verified with. */
export function auditHandlers(parts: LogExportParts): Handlers<typeof auditRoutes> {
  const { audit, verifierKeys } = parts;
  const running = new ConcurrencyLimit(1);
  return {
    exportAuditLog: async ({ query }, { principal: { org, id }, ports: { log }, over }) => {
      const end = running.begin(`${org}/${id}`);
      if (end === null) return ALREADY_EXPORTING;
      whenOver(over, end);
      const pieces = await exportLog({ log, parts }, org, query);
      if (pieces.kind === "problem") return pieces;
      return { kind: "stream", status: 200, mediaType: "application/x-ndjson", pieces: pieces.value };
    },
    listCheckpoints: async ({ query }, { ports: { log } }) => {
      const page = await listCheckpoints({ log, audit }, pageOf(query));
      if (page.kind === "problem") return page;
      const { items, next } = page.value;
      const checkpoints = items.map(({ logId, size, note }) => ({ log_id: logId, size, note }));
      return listed("checkpoints", { kind: "ok", value: { items: checkpoints, next } });
    },
    getVerifierKeys: async (_input, { ports }) => {
      const keys = await callStore(ports, NOT_READ, verifierKeys);
      return keys.kind === "problem" ? keys : { kind: "json", status: 200, body: { keys: keys.value } };
    },
  };
}
