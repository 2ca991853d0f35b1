import { createHash } from "node:crypto";
import type { Call, Finding, Judgement, Kill, Records, StoredRow, Trace } from "./trace.ts";

type Row = Readonly<Record<string, unknown>>;

/** Every answer with a decision id and every acknowledged switch has its row, and no chain is broken. */
export function judgeRows({ calls, kills }: Trace, { rows, heads }: Records): Judgement {
  const parsed = rows.map(({ text }) => JSON.parse(text) as Row);
  const rowById = new Map(rows.map(({ logId, seq }, at) => [`${logId}.${String(seq)}`, parsed[at] ?? {}]));
  const withdrawn = new Set(
    parsed.filter((row) => row["withdrawn"] === true).map((row) => row["decision_id"]),
  );
  const activated = new Set(
    parsed.filter((row) => row["action"] === "activated").map((row) => row["kill_switch_id"]),
  );
  const decided = calls.filter(({ decisionId }) => decisionId !== null);
  const findings = [
    ...decided.flatMap((call) => judgeRow(call, rowById.get(call.decisionId ?? ""), withdrawn)),
    ...calls.flatMap(judgeAllow),
    ...givenTwice(decided),
    ...kills.flatMap((kill) => judgeKill(kill, activated)),
    ...[...Map.groupBy(rows, ({ logId }) => logId)].flatMap(([logId, chain]) =>
      judgeChain(logId, chain, heads),
    ),
  ];
  return {
    findings,
    judged: {
      "answers with a row": decided.length,
      "kills with a row": kills.length,
      "rows in chains": rows.length,
    },
  };
}

function judgeRow(call: Call, row: Row | undefined, withdrawn: ReadonlySet<unknown>): Finding[] {
  const name = `${String(call.decisionId)} of call ${String(call.order)}`;
  if (row === undefined) return [{ rule: "lost row", detail: `${name} is not in the log` }];
  const agrees =
    row["decision"] === call.decision &&
    row["agent_id"] === call.agent &&
    row["session_id"] === `call-${String(call.order)}`;
  if (!agrees) return [{ rule: "row of another call", detail: `${name} says ${JSON.stringify(row)}` }];
  if (call.decision === "allow" && withdrawn.has(call.decisionId))
    return [{ rule: "withdrawn allow", detail: `${name} was answered as an allow and withdrawn` }];
  return [];
}

function judgeAllow({ decision, decisionId, order }: Call): Finding[] {
  if (decision !== "allow" || decisionId !== null) return [];
  return [{ rule: "allow without a row", detail: `call ${String(order)} has no decision id` }];
}

function givenTwice(calls: readonly Call[]): Finding[] {
  const seen = new Set<string | null>();
  return calls.flatMap(({ decisionId }) => {
    if (!seen.has(decisionId)) {
      seen.add(decisionId);
      return [];
    }
    return [{ rule: "decision id given twice", detail: String(decisionId) }];
  });
}

function judgeKill({ switchId }: Kill, activated: ReadonlySet<unknown>): Finding[] {
  if (activated.has(switchId)) return [];
  return [{ rule: "lost kill", detail: `the activation of ${switchId} is not in the log` }];
}

/** As docs/AUDIT-FORMAT.md specifies it. */
function judgeChain(logId: string, chain: readonly StoredRow[], heads: Records["heads"]): Finding[] {
  let hash = sha256(Buffer.from(`svc-audit-log/v1\n${logId}\n`));
  for (const [at, row] of chain.entries()) {
    const expected = sha256(Buffer.concat([Buffer.from(hash, "hex"), Buffer.from(row.text)]));
    if (row.seq !== at || row.prevHash !== hash || row.hash !== expected)
      return [{ rule: "broken chain", detail: `${logId} at row ${String(at)}` }];
    hash = expected;
  }
  const head = heads.find((each) => each.logId === logId);
  if (head?.size === chain.length && head.hash === hash) return [];
  return [{ rule: "broken chain", detail: `the head of ${logId} is not its last row` }];
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
