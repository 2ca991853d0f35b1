import type { AskRoute } from "@svc/api/graphql-question";
import { beforeAll, expect, it } from "vitest";
import { QuestionAnswerer } from "./answer-question.ts";
import { makeSchema } from "./make-schema.ts";
import { type HostileDocument, hostileDocuments } from "./testing/hostile-documents.ts";

/** Documents that are generated, as count. */
const COUNT = 1_000;

/** Milliseconds of processor time that one document may cost. */
const MAX_COST_MS = 100;

let answerer: QuestionAnswerer;
beforeAll(() => {
  answerer = new QuestionAnswerer(makeSchema());
});

const ROW = {
  id: "gw.1",
  log_id: "gw",
  seq: 1,
  time: "2026-11-22T09:41:07.123Z",
  kind: "decision",
  hash: "00",
};

/** Lists are as long as they can be. */
const ask: AskRoute = async ({ query }) => {
  const rows = Array.from({ length: Number(query["limit"] ?? 50) }, () => ({
    ...ROW,
    outcome: null,
    row: {},
  }));
  return { kind: "json", text: JSON.stringify({ rows, role: "admin", next_cursor: null }) };
};

async function costOf({ query }: HostileDocument): Promise<number> {
  const start = process.threadCpuUsage();
  await answerer.answer({ query, operationName: null, variables: null }, ask);
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}

// proves GQL-09
it("no generated document costs more than 100 ms of processor time", async () => {
  const documents = hostileDocuments(COUNT);
  const dear: string[] = [];
  for (const document of documents) {
    if ((await costOf(document)) <= MAX_COST_MS) continue;
    // Code that ran for the first time, or a collection of garbage: the document itself costs it again.
    const again = await costOf(document);
    if (again > MAX_COST_MS)
      dear.push(`${document.kind}: ${String(again)} ms for ${document.query.slice(0, 200)}`);
  }
  expect(dear).toEqual([]);
}, 60_000);
