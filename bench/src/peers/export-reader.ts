/** Reads full exports of the audit log one after another until it is ended: `<url of the server>`. */
const [url = ""] = process.argv.slice(2);

/** Bytes of the last line that are kept: enough to see that the export came to its end. */
const KEPT_BYTES = 256;

process.stdout.write(`listening ${url}\n`);
for (;;) await readExport();

/** @throws unless the export came whole, with its last line. */
async function readExport(): Promise<void> {
  const startedMs = performance.now();
  const answer = await fetch(`${url}/api/v1/audit/export`);
  if (answer.status !== 200 || answer.body === null) {
    throw new Error(`expected an export, found ${answer.status}: ${await answer.text()}`);
  }
  let tail = Buffer.alloc(0);
  for await (const piece of answer.body) tail = Buffer.concat([tail, piece]).subarray(-KEPT_BYTES);
  const rows = /\{"end":\{"rows":(\d+),.*\}\n$/.exec(tail.toString("latin1"))?.[1];
  if (rows === undefined) throw new Error("the export was cut short");
  const rate = Math.round((Number(rows) * 1_000) / (performance.now() - startedMs));
  process.stdout.write(`exported ${rows} rows, ${rate} rows/s\n`);
}
