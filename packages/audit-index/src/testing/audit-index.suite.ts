import { ANY_AUDIT_ROW, type AuditFilter } from "@svc/contract/audit-query";
import { formatDecisionId } from "@svc/contract/decision-id";
import type { Store } from "@svc/store/ports/store";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { AuditQueries } from "../ask/audit-queries.ts";
import { matchesFilter } from "../ask/search-columns.ts";
import type { EntryOrder, SearchResult } from "../audit-answers.ts";
import { readFacts } from "../read-facts.ts";
import { type IndexSubject, indexBench } from "./index-bench.suite.ts";
import { decisionText, outcomeText } from "./make-row.ts";

async function search(
  queries: AuditQueries,
  filter: Partial<AuditFilter>,
  { org = "org-1", limit = 50, before = null as EntryOrder | null } = {},
): Promise<SearchResult> {
  return queries.search({ org, filter: { ...ANY_AUDIT_ROW, ...filter }, limit, before });
}

/** The sequence numbers of every page. */
async function allPages(
  queries: AuditQueries,
  filter: Partial<AuditFilter>,
  options: { readonly org?: string; readonly limit: number },
): Promise<readonly number[]> {
  const found: number[] = [];
  let before: EntryOrder | null = null;
  do {
    const page: SearchResult = await search(queries, filter, { ...options, before });
    expect(page.behind).toEqual([]);
    found.push(...page.rows.map(({ position }) => position.seq));
    before = page.next;
  } while (before !== null);
  return found;
}

const timeAt = (ms: number): string => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();

/** Rows of few organizations, agents and times, so that everything collides with everything. */
const anyRow = fc
  .record({
    org: fc.constantFrom("org-1", "org-2", "org-3"),
    ms: fc.integer({ min: 0, max: 20 }),
    agent_id: fc.constantFrom("a", "b"),
    session_id: fc.constantFrom("s", "t", null),
    tool: fc.constantFrom("x", "y"),
    namespace: fc.constantFrom("default", "prod"),
    decision: fc.constantFrom("allow", "deny", "pause"),
    would: fc.constantFrom("deny", "pause", null),
    reason: fc.constantFrom("Over 100% of it", "over_limit", "ok", null),
    rule_id: fc.constantFrom("r1", "r2", null),
    policy_id: fc.constantFrom("p1", "p2", null),
    principal: fc.constantFrom("k1", "k2"),
    about: fc.option(fc.nat({ max: 30 }), { freq: 4 }),
  })
  .map(({ ms, would, about, ...row }) =>
    about === null
      ? decisionText({
          ...row,
          decision: row.decision as "allow",
          time: timeAt(ms),
          would_be:
            would === null
              ? null
              : { decision: would as "deny", reason: "", reason_code: "rule", rule_id: null },
        })
      : outcomeText({
          org: row.org,
          time: timeAt(ms),
          principal: row.principal,
          decision_id: formatDecisionId({ logId: "gateway-1", seq: about }),
        }),
  );

const some = <Word extends string>(...words: readonly Word[]) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.subarray([...words], { minLength: 1 }) },
  );

const anyFilter: fc.Arbitrary<AuditFilter> = fc.record({
  agents: some("a", "b"),
  sessions: some("s", "t"),
  tools: some("x", "y"),
  namespaces: some("default", "prod"),
  rules: some("r1", "r2"),
  policies: some("p1", "p2"),
  principals: some("k1", "k2"),
  approvals: fc.constant([]),
  kinds: some("decision", "outcome"),
  decisions: some("allow", "deny", "pause"),
  wouldBe: some("deny", "pause"),
  sinceMs: fc.option(fc.integer({ min: 0, max: 20 }).map((ms) => Date.UTC(2026, 0, 1) + ms)),
  untilMs: fc.option(fc.integer({ min: 0, max: 20 }).map((ms) => Date.UTC(2026, 0, 1) + ms)),
  text: fc.constantFrom(null, null, null, "OVER", "%", "_", "k"),
});

/** What a search must find, by reading every row. */
async function expected(store: Store, org: string, filter: AuditFilter): Promise<readonly number[]> {
  const rows = await store.audit.rows("gateway-1", 0, 10_000);
  const facts = rows.map(({ bytes }) => readFacts(bytes));
  return rows
    .map(({ seq }, index) => ({ seq, facts: facts[index] ?? null }))
    .filter((row) => row.facts?.org === org)
    .filter(({ facts: own }) => {
      if (own === null) return false;
      const decision = own.about === null ? null : (facts[own.about.seq] ?? null);
      const isFit = decision?.kind === "decision" && decision.org === own.org;
      const { agent, session, tool, namespace, rule, policy } = isFit ? decision : own;
      const at = own.at ?? 0;
      return (
        matchesFilter({ ...own, agent, session, tool, namespace, rule, policy }, filter) &&
        at >= (filter.sinceMs ?? 0) &&
        at < (filter.untilMs ?? Infinity)
      );
    })
    .toSorted((one, other) => (other.facts?.at ?? 0) - (one.facts?.at ?? 0) || other.seq - one.seq)
    .map(({ seq }) => seq);
}

export function auditIndexContract(open: () => Promise<IndexSubject>): void {
  it("finds exactly the rows that fit, newest first, and none of another organization", async () => {
    const { store, queries, add, index } = await indexBench(open);
    await add(...fc.sample(anyRow, { numRuns: 300, seed: 7 }));
    await index();
    const cases = fc.tuple(
      fc.constantFrom("org-1", "org-2", "org-3", "org-4"),
      anyFilter,
      fc.constantFrom(1, 7, 50),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ([org, filter, limit]) => {
        expect(await allPages(queries, filter, { org, limit })).toEqual(await expected(store, org, filter));
      }),
      { numRuns: runs(150, 1_500) },
    );
  });

  it("says which rows of which log an answer leaves out while they are not indexed", async () => {
    const { queries, add, index } = await indexBench(open);
    await add(decisionText(), decisionText());
    const before = await search(queries, {});
    expect(before).toMatchObject({ rows: [], behind: [{ logId: "gateway-1", indexed: 0, size: 2 }] });
    await index();
    expect((await search(queries, {})).rows).toHaveLength(2);
    await add(decisionText());
    const after = await search(queries, {});
    expect(after.rows).toHaveLength(2);
    expect(after.behind).toEqual([{ logId: "gateway-1", indexed: 2, size: 3 }]);
  });

  it("keeps pages stable while rows are appended", async () => {
    const { queries, add, index } = await indexBench(open);
    await add(...Array.from({ length: 20 }, (_, at) => decisionText({ time: timeAt(at) })));
    await index();
    const first = await search(queries, {}, { limit: 5 });
    await add(...Array.from({ length: 20 }, (_, at) => decisionText({ time: timeAt(100 + at) })));
    await index();
    const second = await search(queries, {}, { limit: 5, before: first.next });
    expect([...first.rows, ...second.rows].map(({ position }) => position.seq)).toEqual([
      19, 18, 17, 16, 15, 14, 13, 12, 11, 10,
    ]);
  });

  it("is not stopped by rows that it cannot read", async () => {
    const { queries, add, index } = await indexBench(open);
    await add(
      "not json",
      "[]",
      '{"v":2,"kind":"decision","org":"org-1","time":"2026-01-01T00:00:00.000Z"}',
      '{"v":1,"kind":"decision","org":"org-1"}',
      '{"v":1,"kind":"new","org":"org-1","time":"yesterday","agent_id":{"a":1},"reason":"nul \\u0000 in it"}',
      '{"v":1,"kind":"outcome","org":"org-1","time":"2026-01-01T00:00:00Z","decision_id":"no.9","status":7}',
      decisionText({ agent_id: "\ud800" }),
      decisionText({ agent_id: "after" }),
    );
    await index();
    expect(await allPages(queries, { agents: ["after"] }, { limit: 5 })).toEqual([7]);
    expect((await allPages(queries, {}, { limit: 5 })).toSorted((one, other) => one - other)).toEqual([
      4, 5, 6, 7,
    ]);
    expect(await allPages(queries, { text: "nul" }, { limit: 5 })).toEqual([4]);
  });

  it("shows how a decision ended, by its first report, and whether it was withdrawn", async () => {
    const { queries, add, index } = await indexBench(open);
    await add(
      decisionText(),
      decisionText(),
      decisionText(),
      outcomeText({ decision_id: "gateway-1.0" }),
      outcomeText({ decision_id: "gateway-1.0", status: "failed" }),
      outcomeText({ decision_id: "gateway-1.1", status: "not_executed", withdrawn: true }),
      outcomeText({ decision_id: "gateway-1.2", org: "org-2" }),
    );
    await index();
    const { rows } = await search(queries, { kinds: ["decision"] });
    expect(rows.map(({ outcome }) => outcome)).toEqual([
      null,
      { position: { logId: "gateway-1", seq: 5 }, status: "not_executed", withdrawn: true },
      { position: { logId: "gateway-1", seq: 3 }, status: "succeeded", withdrawn: false },
    ]);
    expect(await allPages(queries, { agents: ["agent-1"], kinds: ["outcome"] }, { limit: 2 })).toEqual([
      5, 4, 3,
    ]);
  });

  it("finds a rare name beside a frequent one, and says how far it searched when nothing fits", async () => {
    const { queries, add, index } = await indexBench(open);
    const row = (at: number): string => decisionText({ time: timeAt(at), tool: at % 2 === 0 ? "x" : "y" });
    for (let from = 0; from < 10_000; from += 500)
      await add(...Array.from({ length: 500 }, (_, at) => row(from + at)));
    await add(decisionText({ time: timeAt(3), tool: "rare" }));
    await index();
    expect(await allPages(queries, { agents: ["agent-1"], tools: ["rare"] }, { limit: 5 })).toEqual([10_000]);
    const found = await search(queries, { agents: ["agent-1"], tools: ["x"], principals: ["nobody"] });
    expect(found).toMatchObject({ rows: [], next: null });
    const split = await search(queries, { tools: ["x"], rules: [], decisions: ["deny"] });
    expect(split).toMatchObject({ rows: [], next: null });
  });

  it("answers one row by its position, to its own organization alone", async () => {
    const { queries, add, index } = await indexBench(open);
    await add(decisionText());
    await index();
    const position = { logId: "gateway-1", seq: 0 };
    expect((await queries.row({ org: "org-1", position })).row).toMatchObject({ position, outcome: null });
    expect((await queries.row({ org: "org-2", position })).row).toBeNull();
    expect((await queries.row({ org: "org-1", position: { logId: "other", seq: 0 } })).row).toBeNull();
  });
}
