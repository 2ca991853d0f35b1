import { changeRowLine } from "../connection/change-row.ts";
import { addressWords, type ServerOptions } from "../connection/server-options.ts";
import { counted } from "../frame/counted.ts";
import type { Output } from "../frame/output.ts";
import { shellWord } from "../frame/shell-word.ts";
import { renderTable } from "../frame/tables.ts";
import type { Piece } from "../frame/text.ts";
import type { AppliedVersion } from "./apply-version.ts";
import type { Confirmation, GatewayState } from "./await-gateways.ts";
import type { VersionDraft } from "./store-version.ts";

/** A stored version: what changed, where it is in force, its audit row, and how to undo it. */
export function appliedText(
  applied: AppliedVersion,
  done: string,
  undo: string,
  output: Pick<Output, "isTerminal">,
): Piece[] {
  const { policy_id: id, version, version_before: before, mode } = applied;
  const place = before === null ? "the first one" : `after ${String(before)}`;
  const head: Piece = applied.confirmed
    ? { text: done.padEnd(9), as: "good" }
    : { text: "NOT IN FORCE EVERYWHERE", as: "bad" };
  return [
    head,
    ` ${id} version ${String(version)}, ${place}, ${mode}\n`,
    ...confirmationText(applied, output),
    ...noteText(applied),
    ...endedText(applied),
    ...rowText(applied),
    `undo      ${undo}\n`,
  ];
}

/** Nothing where the key may not read the log. */
function rowText({ audit_row: row, audit_row_missing_because: why }: AppliedVersion): Piece[] {
  if (row !== null) return [changeRowLine({ id: row, why: null })];
  return why === null ? [] : [changeRowLine({ id: null, why })];
}

/** Approvals that were open under the version before. */
function endedText({ ended_approvals: count, version_before: before }: AppliedVersion): Piece[] {
  if (count === 0) return [];
  if (count === null) return ["approvals not known: whether open ones of the version before are void now\n"];
  const which = `${counted(count, "open one")} of version ${String(before)} nobody can approve any more`;
  return [{ text: "approvals", as: "warning" }, ` ${which}; the agents must ask again\n`];
}

export function noteText({ note }: Pick<AppliedVersion, "note">): Piece[] {
  return note === null ? [] : [{ text: "note", as: "warning" }, `      ${note}\n`];
}

/** What gateways confirm, for people. */
interface ConfirmedWords {
  readonly heading: string;
  /** Of a gateway that is listed and has not confirmed. */
  readonly silent: string;
  /** What to do then, as sentences. */
  readonly stored: string;
}

const OF_VERSION: ConfirmedWords = {
  heading: "DECIDES BY THIS VERSION",
  silent: "not confirmed: it may still decide by the version before, and denies where it has none",
  stored: "The version is stored. Run the command again to wait on: it stores nothing twice.",
};

/** How many gateways have confirmed, and each of them when one has not. */
export function confirmationText(
  { confirmed, gateways, unconfirmed_because: because }: Confirmation,
  { isTerminal }: Pick<Output, "isTerminal">,
  words: ConfirmedWords = OF_VERSION,
): Piece[] {
  const times = gateways.flatMap(({ confirmed_ms: ms }) => ms ?? []);
  const count = `${String(times.length)}/${String(gateways.length)}`;
  if (confirmed) return [`gateways  ${count}, ${String(Math.max(...times))} ms\n`];
  const rows = gateways.map((gateway) => [gateway.id, stateText(gateway, words)]);
  return [
    `gateways  ${gateways.length === 0 ? "not known" : `${count} have confirmed`}: ${because ?? ""}\n`,
    ...(rows.length === 0 ? [] : [renderTable(["GATEWAY", words.heading], rows, isTerminal)]),
    `          ${words.stored}\n`,
  ];
}

function stateText({ confirmed_ms: ms, listed }: GatewayState, { silent }: ConfirmedWords): string {
  if (ms !== null) return `after ${String(ms)} ms`;
  return listed ? silent : "not confirmed, and gone: it has ended, or denies every call until it follows";
}

/** How a version is undone at the same server. */
export function undoOf({ id, base }: Pick<VersionDraft, "id" | "base">, address: ServerOptions): string {
  // No version before: what is left is to stop what the policy governs.
  if (base === null)
    return `svc-cli policies disable ${shellWord(id)}${addressWords(address)} --reason "..."`;
  return `svc-cli rollback ${shellWord(id)} --to ${String(base)}${addressWords(address)} --reason "..."`;
}
