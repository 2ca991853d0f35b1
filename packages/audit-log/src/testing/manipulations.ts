import { parseExportLine, renderExportLine } from "../export-line.ts";
import { genesisHash, rowHash } from "../row-hash.ts";

/** One thing that somebody without the signing key could do to an export. */
export interface Manipulation {
  readonly name: string;
  /** From the lines of a whole export, with their newlines, to those of the manipulated one. */
  readonly apply: (lines: readonly string[]) => readonly string[];
}

const isRow = (line: string): boolean => line.includes('"seq":');
const isCheckpoint = (line: string): boolean => line.includes('"checkpoint":');

/** Where row `seq` stands. */
const rowAt = (lines: readonly string[], seq: number): number =>
  lines.findIndex((line) => line.includes(`"seq":${String(seq)},`));

/** With an end line that counts what is there. */
export function withEnd(lines: readonly string[]): readonly string[] {
  const body = lines.filter((line) => !line.includes('"end":'));
  const counts = {
    rows: body.filter(isRow).length,
    checkpoints: body.filter(isCheckpoint).length,
    removals: body.filter((line) => line.includes('"removal":')).length,
  };
  return [...body, renderExportLine({ kind: "end", counts })];
}

/** Links and hashes all rows anew, as who holds the database could, and counts them anew. */
export function rehashed(lines: readonly string[]): readonly string[] {
  const heads = new Map<string, { readonly seq: number; readonly hash: Uint8Array }>();
  const linked = lines.map((text) => {
    const line = parseExportLine(text);
    if (line?.kind !== "row") return text;
    const { logId, bytes } = line.row;
    const { seq, hash: prevHash } = heads.get(logId) ?? { seq: 0, hash: genesisHash(logId) };
    const hash = rowHash(prevHash, bytes);
    heads.set(logId, { seq: seq + 1, hash });
    return renderExportLine({ kind: "row", row: { logId, seq, prevHash, hash, bytes } });
  });
  return withEnd(linked);
}

/** One line changed; the change must take place. */
function changed(lines: readonly string[], at: number, change: (line: string) => string): readonly string[] {
  const before = lines[at] ?? "";
  const after = change(before);
  if (after === before) throw new Error(`nothing changed in line ${String(at)}`);
  return lines.with(at, after);
}

const changedRow = (seq: number, change: (line: string) => string) => (lines: readonly string[]) =>
  changed(lines, rowAt(lines, seq), change);

const otherDay = (line: string): string => line.replace("2026-11-02", "2026-11-03");

function exchanged(lines: readonly string[], left: number, right: number): readonly string[] {
  const [one, other] = [rowAt(lines, left), rowAt(lines, right)];
  return lines.with(one, lines[other] ?? "").with(other, lines[one] ?? "");
}

const withoutRow = (lines: readonly string[], seq: number): readonly string[] =>
  lines.toSpliced(rowAt(lines, seq), 1);

const cutAt = (lines: readonly string[], seq: number): readonly string[] =>
  withEnd(lines.slice(0, rowAt(lines, seq)));

const notCheckpoint = (line: string): boolean => !isCheckpoint(line);

/** Lines changed, removed, added or moved, without hashing anything anew. */
export const PLAIN_MANIPULATIONS: readonly Manipulation[] = [
  { name: "another day in a row", apply: changedRow(5, otherDay) },
  { name: "another decision in a row", apply: changedRow(3, (line) => line.replace("deny", "allow")) },
  { name: "another number of a row", apply: changedRow(7, (line) => line.replace('"seq":7', '"seq":8')) },
  {
    name: "another hash of a row",
    apply: changedRow(9, (line) =>
      line.replace(/"hash":"(.)/, (_, digit) => `"hash":"${digit === "0" ? "1" : "0"}`),
    ),
  },
  {
    name: "another link of a row",
    apply: changedRow(9, (line) =>
      line.replace(/"prev_hash":"(.)/, (_, digit) => `"prev_hash":"${digit === "0" ? "1" : "0"}`),
    ),
  },
  { name: "a row of another log", apply: changedRow(4, (line) => line.replace("gw-golden", "gw-other")) },
  { name: "a removed row", apply: (lines) => withoutRow(lines, 6) },
  { name: "a removed row, counted anew", apply: (lines) => withEnd(withoutRow(lines, 6)) },
  {
    name: "a repeated row, counted anew",
    apply: (lines) => withEnd(lines.toSpliced(rowAt(lines, 6), 0, lines[rowAt(lines, 6)] ?? "")),
  },
  { name: "two rows exchanged", apply: (lines) => exchanged(lines, 5, 6) },
  { name: "two far rows exchanged", apply: (lines) => exchanged(lines, 2, 30) },
  { name: "the last rows cut off, counted anew", apply: (lines) => withEnd(withoutRow(lines, 35)) },
  {
    name: "a changed signature",
    apply: (lines) =>
      changed(lines, lines.findIndex(isCheckpoint), (line) =>
        line.replace(
          /([A-Za-z])(=*\\n"}\n)$/,
          (_, letter, rest) => `${letter === "A" ? "B" : "A"}${String(rest)}`,
        ),
      ),
  },
  {
    name: "a checkpoint over another size",
    apply: (lines) =>
      changed(lines, lines.findIndex(isCheckpoint), (line) => line.replace("\\n12\\n", "\\n11\\n")),
  },
  {
    name: "a checkpoint of another log",
    apply: (lines) =>
      changed(lines, lines.findIndex(isCheckpoint), (line) => line.replace('"gw-golden"', '"gw-other"')),
  },
  {
    name: "a checkpoint moved behind its rows",
    apply: (lines) => {
      const at = lines.findIndex(isCheckpoint);
      return lines.toSpliced(at, 1).toSpliced(rowAt(lines, 20), 0, lines[at] ?? "");
    },
  },
];

/** The chain is hashed anew, so that only signatures can tell. */
export const REHASHED_MANIPULATIONS: readonly Manipulation[] = [
  { name: "a changed row", apply: (lines) => rehashed(changedRow(5, otherDay)(lines)) },
  { name: "a changed last row", apply: (lines) => rehashed(changedRow(35, otherDay)(lines)) },
  { name: "a removed row", apply: (lines) => rehashed(withoutRow(lines, 20)) },
  { name: "two rows exchanged", apply: (lines) => rehashed(exchanged(lines, 25, 26)) },
  {
    name: "an added row",
    apply: (lines) => rehashed(lines.toSpliced(rowAt(lines, 30), 0, otherDay(lines[rowAt(lines, 29)] ?? ""))),
  },
  {
    name: "a changed row, without any checkpoint",
    apply: (lines) => rehashed(changedRow(5, otherDay)(lines).filter(notCheckpoint)),
  },
  {
    name: "a forged tail, without its checkpoint",
    apply: (lines) => {
      const last = lines.findLastIndex(isCheckpoint);
      return rehashed(changedRow(30, otherDay)(lines.toSpliced(last, 1)));
    },
  },
  {
    name: "an end that was cut off and written anew",
    apply: (lines) => {
      const kept = lines.slice(0, rowAt(lines, 28)).filter((line) => !line.includes("\\n36\\n"));
      return rehashed([...kept, ...[28, 29, 30].map((seq) => otherDay(lines[rowAt(lines, seq)] ?? ""))]);
    },
  },
];

/** Nothing in the export tells: only checkpoints that were kept elsewhere do. */
export const ROLLBACKS: readonly Manipulation[] = [
  {
    name: "the end cut off together with its checkpoints",
    apply: (lines) =>
      cutAt(
        lines.filter((line) => !line.includes("\\n24\\n") && !line.includes("\\n36\\n")),
        12,
      ),
  },
  { name: "the whole log removed", apply: (lines) => withEnd(lines.slice(0, 1)) },
];
