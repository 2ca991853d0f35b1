import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileStatement } from "@svc/outbox/object-store";
import { renderOtlpLogs } from "@svc/outbox/otlp-logs";
import { syslogFrame } from "@svc/outbox/syslog-frame";
import { parseJson } from "@svc/text/parse-json";
import { expect, it } from "vitest";
import { sampleRow } from "./sample-row.ts";

const PAGE = join(import.meta.dirname, "..", "..", "..", "..", "docs", "INTEGRATIONS.md");

const ABOUT = { org: "acme", id: "int_5c2a9f3e1b7d", atMs: Date.UTC(2026, 10, 22, 9, 41, 7, 123) };

const pretty = (text: string): string => JSON.stringify(parseJson(text), null, 2);

/** What stands in the page under each mark. */
function samples(): Readonly<Record<string, string>> {
  const row = sampleRow("rows", ABOUT);
  const file = { logId: row.logId, org: ABOUT.org, from: row.seq, to: row.seq, rows: 1 };
  return {
    rows: pretty(row.line),
    ocsf: pretty(sampleRow("ocsf", ABOUT).line),
    syslog: syslogFrame(row, "svc.example.com"),
    note: fileStatement(file, `${row.line}\n`).trimEnd(),
    otlp: pretty(renderOtlpLogs([row], ABOUT.atMs)),
  };
}

// proves INTG-10
it("shows the samples that the code makes", async () => {
  let wanted = readFileSync(PAGE, "utf8");
  for (const [name, text] of Object.entries(samples())) {
    const block = new RegExp(`(<!-- sample ${name} -->\n\n\`\`\`[a-z]+\n)[^]*?(\`\`\`\n)`);
    expect(block.test(wanted)).toBe(true);
    wanted = wanted.replace(block, (_, begin: string, end: string) => `${begin}${text}\n${end}`);
  }
  await expect(wanted).toMatchFileSnapshot(PAGE);
});
