import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ExportError, type ExportErrorCode } from "@svc/audit-log/export-error";
import type { LogReport, LogVerdict } from "@svc/audit-log/log-report";
import type { VerifierKey } from "@svc/audit-log/note-key";
import { ChangedExportError } from "@svc/audit-log/verify-export";
import { unknownVariables } from "@svc/process/unknown-variables";
import { type Connection, resolveConnection } from "../connection/resolve-connection.ts";
import { cliEnvironment, type ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { type Evidence, openEvidence } from "./evidence.ts";
import {
  type ExportFrom,
  fileSource,
  type KeysFrom,
  onlineSource,
  storeSource,
  type VerificationSource,
} from "./source.ts";
import { type Finding, type Summary, summarize } from "./summary.ts";
import { readPinnedKeys } from "./trusted-keys.ts";

export interface AuditVerifyOptions extends ServerOptions, OutputOptions {
  readonly file?: string;
  readonly publicKey?: string;
  readonly checkpoints?: string;
  readonly dataDir?: string;
  /** True: the address comes from the environment. */
  readonly databaseUrl?: string | true;
}

/** Milliseconds before the second and last attempt. A running server signs new rows within a second. */
const SIGNING_TIME_MS = 1_200;

/** Verifies what the options name. */
export async function auditVerify(options: AuditVerifyOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const summary = await verifyLog(options, terminal, output);
  output.result(summary);
  return summary.outcome;
}

/** Verifies what the options name, and warns of what weakens the result. @throws CommandFailure */
export async function verifyLog(
  options: AuditVerifyOptions,
  terminal: Terminal,
  output: Output,
): Promise<Verification> {
  for (const { message } of unknownVariables(terminal.environment, cliEnvironment)) output.warn(message);
  const { file, dataDir, databaseUrl } = options;
  const asksServer = [file, dataDir, databaseUrl].every((given) => given === undefined);
  // Once, because a key from stdin can be read only once.
  const server = asksServer ? await resolveConnection(options, terminal) : null;
  const verify = () => verifyOnce({ options, server }, terminal, output);
  const first = await verify();
  const again = options.file === undefined && UNSIGNED.has(first.verdict);
  if (again) await delay(SIGNING_TIME_MS);
  const summary = again ? await verify() : first;
  if (summary.skipped !== null) output.warn(summary.skipped);
  if (summary.keysFrom === "server" && server !== null)
    output.warn(keysWarning(`the server that is verified, ${server.url.origin}`));
  if (summary.keysFrom === "data_directory") output.warn(keysWarning("the data directory that is verified"));
  if (summary.keysFrom === "database") output.warn(keysWarning("the database that is verified"));
  return summary;
}

const UNSIGNED: ReadonlySet<LogVerdict> = new Set(["unsigned", "partly_signed"]);

export interface Verification extends Summary {
  readonly finding: Finding;
  readonly keys: readonly VerifierKey[];
  readonly keysFrom: KeysFrom;
  /** `sha256:` and hex of the file that was verified. Null: not a file, or not read to its end. */
  readonly digest: string | null;
  /** What was verified, for people. */
  readonly source: string;
  readonly skippedCheckpointLines: readonly number[];
  /** The fault of the checkpoints kept elsewhere: skipped lines, or an empty file. Null without a fault. */
  readonly skipped: string | null;
}

interface Asked {
  readonly options: AuditVerifyOptions;
  /** Null: no server is asked. */
  readonly server: Connection | null;
}

async function verifyOnce(
  { options, server }: Asked,
  terminal: Terminal,
  output: Output,
): Promise<Verification> {
  const { checkpoints: path } = options;
  // The evidence is opened first. A checkpoint that is signed during the export must not look like a cut log.
  const evidence = await openEvidence(evidencePath(options, terminal));
  const source = await openSource({ options, server }, terminal);
  const { keys, keysFrom, exportFrom } = source;
  const finding = await readWhole(exportFrom, () =>
    source.verify({
      evidence: evidence.checkpoints,
      onProgress: (rows) => output.progress(`${rows} rows verified`),
    }),
  );
  const skippedCheckpointLines = evidence.skippedLines;
  const summary = summarize(finding, { keys, keysFrom, exportFrom, skippedCheckpointLines });
  const skipped = path === undefined ? null : evidenceWarning(path, evidence);
  return {
    ...summary,
    finding,
    keys,
    keysFrom,
    digest: source.digest?.() ?? null,
    source: sourceText({ options, server }),
    skippedCheckpointLines,
    skipped,
  };
}

function sourceText({ options: { file, dataDir }, server }: Asked): string {
  if (server !== null) return `the server ${server.url.origin}`;
  if (file !== undefined) return file === "-" ? "stdin" : `the file ${file}`;
  return dataDir === undefined ? "the database" : `the data directory ${dataDir}`;
}

/** A data directory has a file of checkpoints beside its database. */
function evidencePath({ checkpoints, dataDir }: AuditVerifyOptions, terminal: Terminal): string | null {
  if (checkpoints !== undefined) return resolve(terminal.workingDirectory, checkpoints);
  const kept = dataDir === undefined ? null : resolve(terminal.workingDirectory, dataDir, CHECKPOINTS_FILE);
  return kept !== null && existsSync(kept) ? kept : null;
}

const CHECKPOINTS_FILE = "checkpoints.ndjson";

function evidenceWarning(path: string, { empty, skippedLines: lines }: Evidence): string | null {
  if (empty) return `--checkpoints: ${path} holds no checkpoint, so it proves nothing`;
  if (lines.length === 0) return null;
  const which =
    lines.length === 1
      ? `line ${lines[0]} is not a checkpoint and was skipped`
      : `lines ${lines.join(", ")} are not checkpoints and were skipped`;
  return `--checkpoints: ${path}: ${which}; a full disk or a crash leaves such lines`;
}

/** Names the server, so that a user with a misspelt setting notices that the default server was verified. */
function keysWarning(origin: string): string {
  return `the public key comes from ${origin}; give one that you kept elsewhere with --public-key`;
}

async function openSource({ options, server }: Asked, terminal: Terminal): Promise<VerificationSource> {
  const { publicKey } = options;
  const pinned = publicKey === undefined ? null : await readPinnedKeys(publicKey, terminal);
  requireOneSource(options);
  if (options.dataDir !== undefined || options.databaseUrl !== undefined)
    return storeSource({ dataDir: options.dataDir, databaseUrl: options.databaseUrl, pinned }, terminal);
  if (server !== null) return onlineSource(server, pinned);
  if (pinned === null)
    throw new CommandFailure(
      "usage",
      "--file needs --public-key, because an export cannot prove that its own key is right",
    );
  return fileSource(options.file ?? "-", pinned, terminal);
}

/** `--data-dir` may stand beside `--database-url`: it then names where keys and checkpoints are. */
function requireOneSource({ file, url, dataDir, databaseUrl }: AuditVerifyOptions): void {
  const given = Object.entries({ file, url, ...(databaseUrl === undefined ? { dataDir } : { databaseUrl }) })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => OPTION_NAMES[name as keyof typeof OPTION_NAMES]);
  if (given.length > 1)
    throw new CommandFailure("usage", `${given.join(" and ")}: expected one of them, found both`);
}

const OPTION_NAMES = {
  file: "--file",
  url: "--url",
  dataDir: "--data-dir",
  databaseUrl: "--database-url",
} as const;

async function readWhole(
  exportFrom: ExportFrom,
  verify: () => Promise<readonly LogReport[]>,
): Promise<Finding> {
  try {
    return { logs: await verify(), changed: null };
  } catch (error) {
    if (error instanceof ChangedExportError) return { logs: error.logs, changed: error };
    if (!(error instanceof ExportError)) throw error;
    const hint = HINTS[error.code][exportFrom];
    throw new CommandFailure("unreachable", `nothing is verified: ${error.message}; ${hint}`, error);
  }
}

const AGAIN = "try again";
const COPY = "copy it again without conversion, or convert the line endings back to LF";

/** What to do, by the fault and the source of the export. */
const HINTS: Readonly<Record<ExportErrorCode, Readonly<Record<ExportFrom, string>>>> = {
  cut: {
    file: "the download was cut: download it again",
    server: "the connection was cut: try again",
    store: AGAIN,
  },
  unknown_format: {
    file: "expected the unchanged answer to GET /api/v1/audit/export; for a data directory use --data-dir",
    server: "is this the address of svc-server?",
    store: AGAIN,
  },
  line_endings: {
    file: COPY,
    server: "something between here and the server rewrites its answers",
    store: AGAIN,
  },
  malformed: { file: "download it again", server: AGAIN, store: AGAIN },
};
