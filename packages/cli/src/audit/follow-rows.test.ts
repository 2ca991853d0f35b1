import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";
import { scriptedServer } from "../testing/scripted-server.suite.ts";

const rowOf = (seq: number) => ({
  id: `log.${String(seq)}`,
  log_id: "log",
  seq,
  time: "2026-11-22T09:41:07.123Z",
  kind: "decision",
  hash: "00",
  row: { v: 1, kind: "decision", decision: "allow", tool: "t" },
});

const event = (seq: number, row = rowOf(seq)): string =>
  `event: decision\nid: log=${String(seq + 1)}\ndata: ${JSON.stringify(row)}\n\n`;

const gap = (reason: string, after: string, until: string): string =>
  `event: gap\nid: ${until}\ndata: ${JSON.stringify({ reason, after, until })}\n\n`;

/** Follows connections that send these texts. The last one stays open, and a signal ends the command. */
async function follow(history: readonly number[], texts: readonly string[], rows: number) {
  const lastIds: unknown[] = [];
  const url = await scriptedServer((request, response: ServerResponse) => {
    if (request.url?.includes("/audit") === true) {
      const indexed = { complete: true, behind: [] };
      const page = history.toReversed().map((seq) => ({ ...rowOf(seq), outcome: null }));
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ rows: page, next_cursor: null, searched_back_to: null, indexed }));
      return;
    }
    const text = texts[lastIds.push(request.headers["last-event-id"]) - 1] ?? "";
    response.writeHead(200, { "content-type": "text/event-stream" });
    const isCut = lastIds.length < texts.length && !text.includes("event: gap");
    response.write(`retry: 1\nid: log=0\n\n${text}`, () => (isCut ? response.destroy() : undefined));
  });
  let end = (): void => undefined;
  let shown = "";
  const running = runCaptured(["audit", "tail", "-f", "-o", "ndjson", "--url", url], {
    onInterrupt: (ending) => {
      end = ending;
      return () => undefined;
    },
    onOut: (text) => {
      shown += text;
      if (shown.split("\n").length > rows) end();
    },
  });
  const { exitCode, out, error } = await running;
  const ids = out
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { readonly id: string }).id);
  return { exitCode, ids, error, lastIds };
}

const idsTo = (last: number): string[] => Array.from({ length: last + 1 }, (_, seq) => `log.${String(seq)}`);

// proves CLI-53
it("shows a row once that comes before and in the stream, and reads again what did not fit", async () => {
  const { exitCode, ids, error, lastIds } = await follow(
    [0, 1],
    [event(1) + event(2) + gap("overflow", "log=3", "log=6"), event(3) + event(4) + event(5) + event(6)],
    7,
  );
  expect(ids).toEqual(idsTo(6));
  expect([exitCode, error, lastIds]).toEqual([130, "", [undefined, "log=3"]]);
});

// proves CLI-53
it("goes on behind the last whole row when a line is cut, and shows none twice", async () => {
  const half = event(2).slice(0, 60);
  const { ids, error, lastIds } = await follow([0], [event(1) + half, event(1) + event(2)], 3);
  expect(ids).toEqual(idsTo(2));
  expect(lastIds).toEqual([undefined, "log=2"]);
  expect(error).toMatch(/^warning: the connection was cut \(.+\); trying again\nconnected again\n$/);
});

// proves CLI-53
it("says that rows are missing which the server cannot send", async () => {
  const { ids, error } = await follow([], [event(0) + gap("unreadable", "log=1", "log=3") + event(3)], 2);
  expect(ids).toEqual(["log.0", "log.3"]);
  expect(error).toBe("warning: rows are missing here: the server cannot send them any more (unreadable)\n");
});
