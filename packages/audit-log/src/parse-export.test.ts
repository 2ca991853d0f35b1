import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ExportLine, renderExportLine } from "./export-line.ts";
import { ExportError } from "./framed-lines.ts";
import {
  chain,
  checkpointOf,
  goldenFiles,
  goldenLines,
  goldenRows,
  goldenSigner,
} from "./golden-chain.suite.ts";
import { type ExportRecord, parseExport } from "./parse-export.ts";
import { verifyExport } from "./verify-export.ts";

const golden = Buffer.from(goldenFiles()["golden-export.ndjson"] ?? "");
const render = (lines: readonly ExportLine[]) => Buffer.from(lines.map(renderExportLine).join(""));

async function* pieces(bytes: Uint8Array, size = bytes.length): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function read(bytes: Uint8Array, size?: number): Promise<ExportRecord[]> {
  const records: ExportRecord[] = [];
  for await (const record of parseExport(pieces(bytes, size))) records.push(record);
  return records;
}

async function codeOf(bytes: Uint8Array): Promise<string> {
  try {
    await read(bytes);
    return "read";
  } catch (error) {
    if (error instanceof ExportError) return error.code;
    throw error;
  }
}

describe("parseExport", () => {
  it("reads the same records however the bytes are cut into chunks", async () => {
    const whole = await read(golden);
    expect(whole).toEqual(goldenLines().slice(1, -1));
    for (const size of [1, 7, 4096]) expect(await read(golden, size)).toEqual(whole);
  });

  const [header, ...body] = goldenLines();
  const end = body.pop()!;
  const line = (text: string) =>
    Buffer.concat([golden.subarray(0, golden.indexOf("\n") + 1), Buffer.from(text)]);
  const row = renderExportLine(body[0]!);
  const cases: readonly [string, Uint8Array, string][] = [
    ["nothing", Buffer.alloc(0), "cut"],
    ["a missing end line", render([header!, ...body]), "cut"],
    ["a line that stops in the middle", golden.subarray(0, 1000), "cut"],
    ["a missing header", render([...body, end]), "unknown_format"],
    ["a second header", render([header!, header!, end]), "malformed"],
    ["another version", Buffer.from('{"format":"svc-audit-export/2"}\n'), "unknown_format"],
    ["a missing line", render([header!, ...body.slice(1), end]), "malformed"],
    ["a repeated line", render([header!, body[0]!, ...body, end]), "malformed"],
    ["something behind the end", Buffer.concat([golden, Buffer.from("\n")]), "malformed"],
    ["something unfinished behind the end", Buffer.concat([golden, Buffer.from("x")]), "malformed"],
    ["a line that is not JSON", line("{\n"), "malformed"],
    ["null", line("null\n"), "malformed"],
    ["white space", line(row.replace(":", ": ")), "malformed"],
    ["a repeated member", line(row.replace('"seq":0', '"seq":1,"seq":0')), "malformed"],
    ["an unknown member", line(row.replace("{", '{"a":1,')), "malformed"],
    [
      "a hash in capitals",
      line(row.replace(/"hash":"[^"]*"/, (hash) => hash.toUpperCase().replace("HASH", "hash"))),
      "malformed",
    ],
    ["a lone surrogate", line(row.replace("acme", "\\ud800")), "malformed"],
    ["bytes that are not UTF-8", Buffer.concat([line("x"), Buffer.of(0xff), Buffer.from("\n")]), "malformed"],
    ["a line that is too long", line(`"${"x".repeat(5 * 1024 * 1024)}"\n`), "malformed"],
    ["a database", Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.of(0xff, 10)]), "unknown_format"],
    ["a BOM", Buffer.concat([Buffer.from("\ufeff"), golden]), "unknown_format"],
  ];
  it.each(cases)("refuses %s", async (_, bytes, code) => {
    expect(await codeOf(bytes)).toBe(code);
  });

  it("names the line", async () => {
    await expect(read(line("{}\n"))).rejects.toThrow("line 2: expected a row, a checkpoint or the end");
  });

  it("what is rendered is read back, for any text", () => {
    return fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: "binary" }), { maxLength: 5 }), async (texts) => {
        const rows = chain("gw-1", texts);
        const counts = { rows: rows.length, checkpoints: 0, removals: 0 };
        const lines: ExportLine[] = rows.map((each) => ({ kind: "row", row: each }));
        expect(await read(render([{ kind: "header" }, ...lines, { kind: "end", counts }]), 5)).toEqual(lines);
      }),
    );
  });
});

describe("verifyExport", () => {
  const keys = [goldenSigner.verifier];
  const verify = (
    bytes: Uint8Array,
    evidence: readonly { logId: string; size: number; note: string }[] = [],
  ) => verifyExport({ records: parseExport(pieces(bytes)), evidence: streamOf(evidence), keys });

  // Reading compares each line with what rendering makes of it: bytes are treated alike, a sample will do.
  it("L1: changed bytes anywhere in the golden export are found", async () => {
    for (let at = 0; at < golden.length; at += 23) {
      const mutated = Buffer.from(golden);
      mutated[at] = (golden[at] ?? 0) ^ (1 << (at % 8));
      const outcome = await verify(mutated).then(
        (reports) => reports.every(({ verdict }) => verdict === "intact"),
        (error: unknown) => (error instanceof ExportError ? false : Promise.reject(error as Error)),
      );
      if (outcome) expect.unreachable(`byte ${at}`);
    }
  });

  it("judges mixed logs each by itself, checkpoints before their rows", async () => {
    const left = chain("a", ["1", "2"]);
    const right = chain("b", ["1", "2", "3"]);
    const lines: ExportLine[] = [
      { kind: "header" },
      { kind: "checkpoint", logId: "b", note: checkpointOf(right, 3) },
      { kind: "row", row: left[0]! },
      { kind: "row", row: right[0]! },
      { kind: "row", row: left[1]! },
      { kind: "row", row: { ...right[1]!, bytes: Buffer.from("9") } },
      { kind: "checkpoint", logId: "a", note: checkpointOf(left, 2) },
      { kind: "end", counts: { rows: 4, checkpoints: 2, removals: 0 } },
    ];
    expect(await verify(render(lines))).toMatchObject([
      { logId: "a", verdict: "intact" },
      { logId: "b", verdict: "broken", goodRows: 1 },
    ]);
  });

  it("L2: rows cut off together with their checkpoints are found by checkpoints kept elsewhere", async () => {
    const rows = goldenRows();
    const evidence = [12, 24, 36].map((size) => ({
      logId: rows[0]!.logId,
      size,
      note: checkpointOf(rows, size),
    }));
    const cut = [
      ...goldenLines().slice(0, 14),
      { kind: "end", counts: { rows: 12, checkpoints: 1, removals: 0 } } as const,
    ];
    expect(await verify(render(cut))).toMatchObject([{ verdict: "intact" }]);
    expect(await verify(render(cut), evidence)).toMatchObject([
      { verdict: "broken", goodRows: 12, faults: [{ code: "checkpoint_ahead", at: 36 }] },
    ]);
    expect(await verify(golden, evidence)).toMatchObject([{ verdict: "intact", checkpoints: 3 }]);
  });

  it("L2: a log that is gone as a whole is found by checkpoints kept elsewhere", async () => {
    const gone = chain("gone", ["1"]);
    const evidence = [{ logId: "gone", size: 1, note: checkpointOf(gone, 1) }];
    expect(await verify(golden, evidence)).toMatchObject([
      { logId: "gone", verdict: "broken" },
      { verdict: "intact" },
    ]);
  });
});

async function* streamOf<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
