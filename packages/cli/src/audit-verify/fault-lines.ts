import type { FaultCode, LogFault, RowIdentity } from "@svc/audit-log/log-fault";

/** Longest part of a row that is quoted, in UTF-16 units: as long as an identifier. */
const MAX_QUOTED_LENGTH = 128;

/** Renders one fault for people: its cause, the row, what was expected and what was found. */
export function faultLines(fault: LogFault): string[] {
  return [`  ${sentence(fault)}`, `    expected ${fault.expected}`, `    found    ${fault.found}`];
}

function sentence(fault: LogFault): string {
  const { code, at, row } = fault;
  const place = `row ${at}${row === null ? "" : described(row)}`;
  switch (code) {
    case "row_missing":
      return missing(fault);
    case "row_repeated":
      return `${following(fault)} is repeated after row ${(at ?? 0) - 1}`;
    case "row_out_of_order":
      return `row ${at} is out of order: ${following(fault)} is in its place, and the row itself comes later`;
    case "row_of_other_log":
      return `${place} belongs to another log`;
    case "row_link_differs":
      return `${place} is not linked to the row before it: a row was replaced, or rows were renumbered`;
    case "row_hash_differs":
      return `${place} was changed: its bytes do not have its hash`;
    case "row_of_other_org":
      return `${place} belongs to another organization`;
    case "row_outside_filter":
      return `${place} does not fit the filter of the excerpt`;
    case "row_content_missing":
      return `${place} has lost its content, and no signed statement says that retention removed it`;
    case "removal_malformed":
    case "removal_of_other_log":
    case "removal_unknown_key":
    case "removal_bad_signature":
    case "removal_differs":
    case "removal_misplaced":
      return `the removal of rows${at === null ? "" : ` from ${at} on`} ${REMOVAL_MEANINGS[code]}`;
    case "excerpt_missing":
    case "excerpt_malformed":
    case "excerpt_of_other_log":
    case "excerpt_of_other_org":
    case "excerpt_of_other_filter":
    case "excerpt_unknown_key":
    case "excerpt_bad_signature":
    case "excerpt_differs":
    case "excerpt_not_last":
      return `the signed statement${at === null ? "" : ` about ${at} rows`} ${EXCERPT_MEANINGS[code]}`;
    default:
      return `checkpoint${at === null ? "" : ` of ${at} rows`} ${CHECKPOINT_MEANINGS[code]}`;
  }
}

function missing(fault: LogFault): string {
  const { at, row } = fault;
  const from = at ?? 0;
  const last = (row?.seq ?? from + 1) - 1;
  const which = last > from ? `rows ${from}-${last} are` : `row ${from} is`;
  const before = from === 0 ? "stands first" : `follows row ${from - 1}`;
  return `${which} missing: ${following(fault)} ${before}`;
}

function following({ found, row }: LogFault): string {
  return row === null ? found : `row ${row.seq}${described(row)}`;
}

function described({ kind, time, agentId }: RowIdentity): string {
  const who = agentId === null ? "" : ` of ${short(agentId)}`;
  return ` (${short(kind)}${who} at ${short(time)})`;
}

function short(text: string): string {
  return text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}...` : text;
}

const REMOVAL_MEANINGS: Readonly<Record<Extract<FaultCode, `removal_${string}`>, string>> = {
  removal_malformed: "cannot be read",
  removal_of_other_log: "belongs to another log",
  removal_unknown_key: "is signed by none of the trusted keys",
  removal_bad_signature: "was changed: its signature does not match its text",
  removal_differs: "was signed for rows with other hashes: they were replaced",
  removal_misplaced: "does not stand behind its rows: lines were added or moved",
};

const EXCERPT_MEANINGS: Readonly<Record<Extract<FaultCode, `excerpt_${string}`>, string>> = {
  excerpt_missing: "about the rows is missing",
  excerpt_malformed: "cannot be read",
  excerpt_of_other_log: "belongs to another log",
  excerpt_of_other_org: "belongs to another organization",
  excerpt_of_other_filter: "was signed for another filter",
  excerpt_unknown_key: "is signed by none of the trusted keys",
  excerpt_bad_signature: "was changed: its signature does not match its text",
  excerpt_differs: "was signed for other rows: a row was changed, removed, added or moved",
  excerpt_not_last: "is not the last line of its log: lines were added or moved",
};

const CHECKPOINT_MEANINGS: Readonly<Record<Extract<FaultCode, `checkpoint_${string}`>, string>> = {
  checkpoint_malformed: "cannot be read",
  checkpoint_of_other_log: "belongs to another log",
  checkpoint_unknown_key: "is signed by none of the trusted keys",
  checkpoint_bad_signature: "was changed: its signature does not match its text",
  checkpoint_differs: "was signed over other rows: rows before it were replaced",
  checkpoint_ahead: "was signed over more rows than there are: the end of the log was cut off",
  checkpoint_too_late:
    "comes after its rows and cannot be compared: the log was set back, or lines were moved",
};
