import type { Excerpt } from "@svc/audit-log/excerpt";
import type { AuditExportQuery } from "@svc/contract/audit-export-query";
import type { AuditStore } from "@svc/store/ports/audit-store";
import type { KeyStore } from "@svc/store/ports/key-store";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, refuse } from "../refusal.ts";
import { auditExcerpt } from "./audit-excerpt.ts";
import { auditExport } from "./audit-export.ts";
import { ocsfExport } from "./ocsf-export.ts";

export interface LogExportParts {
  readonly audit: AuditStore;
  readonly keys: Pick<KeyStore, "hasOtherOrganization">;
  /** Every key that this server ever signed with, and those that other processes noted in the store. */
  readonly verifierKeys: () => Promise<readonly string[]>;
  /** Signs the log as it stands, so that an export of it can be verified to its end. */
  readonly checkpoint: () => Promise<void>;
  /** Signs what an organization's excerpt of a shared log holds. */
  readonly signExcerpt: (excerpt: Excerpt) => string;
}

/**
 * The rows of an organization that a query asks for, in pieces of UTF-8: the whole logs where they are its
 * own, and else an excerpt of them.
 */
export async function exportLog(
  { log, parts }: Pick<ControlPlanePorts, "log"> & { readonly parts: LogExportParts },
  org: string,
  { agent_id: agentId, kind, log_id: logId, since, until, format }: AuditExportQuery,
): Promise<Outcome<AsyncGenerator<Uint8Array>>> {
  const { audit, keys, checkpoint: sign, signExcerpt } = parts;
  const filter = definedMembers({ agentId, kind, logId, since, until });
  if (logId !== undefined && !(await audit.heads()).some((head) => head.logId === logId))
    return refuse(
      "not_found",
      `There is no log ${logId}. The checkpoints (GET audit/checkpoints) name every log.`,
    );
  // Whether rows of other organizations are in the logs.
  const isShared = await keys.hasOtherOrganization(org);
  const trusted = await callStore({ log }, NOT_READ, parts.verifierKeys);
  if (trusted.kind === "problem") return trusted;
  const verifierKeys = trusted.value;
  const isChain = !isShared && Object.keys(filter).every((member) => member === "logId");
  if (format === "ocsf") return begun(log, ocsfExport({ audit, org, filter }));
  return begun(
    log,
    isChain
      ? auditExport({ audit, org, logId: filter.logId ?? null, sign })
      : auditExcerpt({ audit, org, filter, verifierKeys, sign, signExcerpt }),
  );
}

/** The members that have a value. */
function definedMembers<Name extends string>(
  members: Readonly<Record<Name, string | undefined>>,
): Readonly<Partial<Record<Name, string>>> {
  const defined = Object.entries<string | undefined>(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as Partial<Record<Name, string>>;
}

/** A fault before the first piece still has a status of its own. */
async function begun(
  log: ControlPlanePorts["log"],
  pieces: AsyncGenerator<Uint8Array>,
): Promise<Outcome<AsyncGenerator<Uint8Array>>> {
  const first = await callStore({ log }, NOT_READ, () => pieces.next());
  return first.kind === "problem" ? first : { kind: "ok", value: passed(first.value, pieces, log) };
}

/** Passes the pieces on. After the answer has begun, a fault can only break the answer off and be logged. */
async function* passed(
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
