import { type CertificateVerdict, verifyCertificate } from "@svc/audit-log/certificate";
import type { VerifierKey } from "@svc/audit-log/note-key";
import type { CertifiedGateway, ContainmentCertificate } from "@svc/contract/containment-certificate";
import { tableLines } from "@svc/process/table-lines";
import { noKeyFits, readPinnedKeys } from "../audit-verify/trusted-keys.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { readFault } from "../frame/files.ts";
import { Output, type OutputOptions, type Result } from "../frame/output.ts";
import { openInput } from "../frame/read-input.ts";
import type { Terminal } from "../frame/terminal.ts";

export interface VerifyCertificateOptions extends OutputOptions {
  readonly publicKey?: string;
}

/** Largest file in bytes: a certificate of the greatest length in UTF-8. */
const MAX_FILE_BYTES = 3 * 1024 * 1024;

/** Verifies a certificate that a server signed. @throws CommandFailure */
export async function verifyCertificateFile(
  file: string,
  options: VerifyCertificateOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const { publicKey } = options;
  if (publicKey === undefined)
    throw new CommandFailure(
      "usage",
      "verify-certificate needs --public-key, because a certificate cannot prove that its own key is right",
    );
  const keys = await readPinnedKeys(publicKey, terminal);
  const verdict = verifyCertificate(await readFile(file, terminal), keys);
  const { outcome, ...result } = resultOf(verdict, keys);
  new Output(terminal, options).result(result);
  return outcome;
}

async function readFile(path: string, terminal: Terminal): Promise<string> {
  const bytes = await readBytes(path, terminal);
  if (bytes.includes("\r\n"))
    throw unreadable(path, "line endings were changed: expected LF, found CR LF; copy it again");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw unreadable(path, "expected UTF-8; copy it again", error);
  }
}

async function readBytes(path: string, terminal: Terminal): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of openInput(path, terminal)) {
      length += chunk.length;
      if (length > MAX_FILE_BYTES)
        throw unreadable(path, `expected at most ${String(MAX_FILE_BYTES)} bytes, found more`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure("usage", `${path} cannot be read: ${readFault(error)}`, error);
  }
  return Buffer.concat(chunks);
}

function unreadable(path: string, why: string, cause?: unknown): CommandFailure {
  return new CommandFailure("unreachable", `nothing is verified: ${path}: ${why}`, cause);
}

const SCHEMA = "svc.cli.verify-certificate/v1";

const OUTCOMES = { contained: "ok", not_yet_contained: "unproven", ended: "unproven" } as const;

function resultOf(
  verdict: CertificateVerdict,
  keys: readonly VerifierKey[],
): Result & { readonly outcome: Outcome } {
  switch (verdict.kind) {
    case "valid": {
      const { certificate } = verdict;
      const { containment } = certificate;
      return {
        outcome: OUTCOMES[containment],
        text: `${certificateLines(certificate).join("\n")}\n`,
        schema: SCHEMA,
        json: { verdict: containment, certificate },
      };
    }
    case "malformed":
      throw new CommandFailure(
        "unreachable",
        `nothing is verified: this is not a certificate: ${verdict.why}`,
      );
    case "contradictory":
      return refused(`a given key has signed it, but no server writes this: ${verdict.why}`);
    case "unknown_key": {
      const why = noKeyFits("none of the given keys signed it", keys, verdict.neededKeys);
      return {
        outcome: "unproven",
        text: `cannot be judged: ${why}\n`,
        schema: SCHEMA,
        json: { verdict: "not_judged", needed_keys: verdict.neededKeys, certificate: null },
      };
    }
    case "bad_signature":
      return refused("it was changed: its signature does not match its text");
  }
}

function refused(why: string): Result & { readonly outcome: Outcome } {
  return {
    outcome: "failed",
    text: `broken: ${why}\n`,
    schema: SCHEMA,
    json: { verdict: "broken", why, certificate: null },
  };
}

const HEAD = ["GATEWAY", "HOST", "STATE", "ACKNOWLEDGED", "CONTAINED SINCE", "LAST SEEN"];
const UNVERIFIED = "not acknowledged, and denying every call since the lease ended";

/** A certificate for people: what it proves, what it is about, and a table of the gateways. */
function certificateLines(certificate: ContainmentCertificate): readonly string[] {
  const { org, activated_at, activated_by, reason, issued_at, issued_by, clock, gateways } = certificate;
  return [
    ...verdictLines(certificate),
    `  stops      ${stopped(certificate)} of organization ${org}`,
    `  activated  ${activated_at} by ${oneLine(activated_by)}: ${oneLine(reason)}`,
    `  audit row  ${auditRow(certificate)}`,
    `  issued     ${issued_at} by ${issued_by}; times of gateways are of the clock of the ${clock}`,
    ...(gateways.length === 0 ? ["  no gateway"] : tableLines(HEAD, gateways.map(cells))),
  ];
}

function verdictLines(certificate: ContainmentCertificate): readonly string[] {
  const { kill_switch_id: id, containment, contained_since, contained_at_latest, gateways } = certificate;
  const { expires_at, issued_at } = certificate;
  switch (containment) {
    case "contained": {
      const unverified = gateways.filter(({ state }) => state === "denying").map((gateway) => gateway.id);
      // Read later, it must not be taken for the state at that time.
      return [
        `${id}: contained since ${String(contained_since)}, as of ${issued_at}`,
        ...(expires_at === null
          ? []
          : [`  expires    ${expires_at}, and nothing is known of the time after`]),
        ...(unverified.length === 0 ? [] : [`  unverified ${unverified.join(", ")}: ${UNVERIFIED}`]),
      ];
    }
    case "not_yet_contained": {
      const open = gateways.filter(({ state }) => state === "not_yet_contained").map((gateway) => gateway.id);
      const who = open.length === 0 ? "a gateway that is not listed" : open.join(", ");
      return [
        `${id}: NOT YET CONTAINED, until ${String(contained_at_latest)} at the latest`,
        `  until then ${who} may allow calls that the switch stops; read the certificate again`,
      ];
    }
    case "ended": {
      const { ended_at, ended_by, end_reason } = certificate;
      const why = `${String(ended_at)} by ${oneLine(String(ended_by))}: ${oneLine(String(end_reason))}`;
      return [`${id}: ENDED, so nothing is contained`, `  ended      ${why}`];
    }
  }
}

function stopped({ account_wide, scope, target_id }: ContainmentCertificate): string {
  return account_wide || target_id === null ? "every call" : `the calls of ${scope} ${target_id}`;
}

function auditRow({ audit_row: row }: ContainmentCertificate): string {
  if (row === null) return "not recorded, because an earlier version activated the switch";
  if (row.hash === null) return `${row.id} IS NOT IN THE LOG: verify the log`;
  const { checkpoint_size: size } = row;
  const signed =
    size === null ? "not yet covered by a checkpoint" : `covered by the checkpoint of ${String(size)} rows`;
  return `${row.id}, ${signed}, hash ${row.hash}`;
}

function cells({ id, host, state, ...gateway }: CertifiedGateway): readonly string[] {
  const { acknowledged_at, contained_since, contained_at_latest, last_seen_at } = gateway;
  const since = contained_at_latest === null ? (contained_since ?? "-") : `by ${contained_at_latest}`;
  return [
    oneLine(id),
    oneLine(host),
    state.replaceAll("_", " "),
    acknowledged_at ?? "-",
    since,
    last_seen_at ?? "gone",
  ];
}

/** Reasons and names are free text. A line of them must not look like a line of the result. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ");
}
