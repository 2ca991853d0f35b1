import { createHash } from "node:crypto";
import type { Applied, Call, Fault, Kill, Records, StoredRow, Trace } from "./trace.ts";

type Part<Whole> = {
  -readonly [Member in keyof Whole]: Whole[Member] extends readonly (infer Each)[] ? Each[] : Whole[Member];
};

/** A small run in which every promise is kept. Tests of the judge break one of them each. */
export interface SoundRun {
  readonly trace: Part<Trace>;
  readonly records: Part<Records>;
}

export function soundRun(): SoundRun {
  const calls = [
    call({ order: 0, sentMs: 100, decision: "allow" }),
    call({ order: 1, sentMs: 1_200, agent: "agent-1", decision: "deny" }),
    call({ order: 2, sentMs: 4_000, decision: "deny", decisionId: null }),
    call({ order: 3, sentMs: 6_000, decision: "allow" }),
    call({ order: 4, sentMs: 6_100, agent: "agent-1", decision: "allow" }),
    call({ order: 5, sentMs: 4_500, gateway: "gw-2", agent: "agent-1", decision: "deny" }),
  ];
  const rows = chainOf("gw-1", [
    ...calls.filter(({ gateway, decisionId }) => gateway === "gw-1" && decisionId !== null).map(textOf),
    JSON.stringify({ kind: "kill_switch", action: "activated", kill_switch_id: "ks_1" }),
  ]);
  const otherRows = chainOf("gw-2", [textOf(calls[5] ?? call({}))]);
  return {
    trace: {
      gateways: ["gw-1", "gw-2"],
      steadyAgent: "steady",
      calls: calls.map((each) => ({ ...each, decisionId: idOf(each, [...rows, ...otherRows]) })),
      kills: [kill()],
      releases: [{ switchId: "ks_1", askedMs: 5_500, answeredMs: 5_510 }],
      faults: [cutOff()],
      applied: [
        applied({ revision: 1, by: "snapshot", change: null, loggedMs: 10 }),
        applied({ revision: 2, loggedMs: 1_050 }),
        applied({ revision: 3, loggedMs: 5_505 }),
        applied({
          process: "gw-2 1",
          gateway: "gw-2",
          revision: 1,
          by: "snapshot",
          change: null,
          loggedMs: 10,
        }),
        applied({
          process: "gw-2 2",
          gateway: "gw-2",
          revision: 3,
          by: "snapshot",
          change: null,
          loggedMs: 5_900,
        }),
      ],
      survivors: ["gw-1 1", "gw-2 2"],
    },
    records: {
      rows: [...rows, ...otherRows],
      heads: [headOf(rows), headOf(otherRows)],
      events: [
        { revision: 1, kind: "policy", activates: null },
        { revision: 2, kind: "kill_switch", activates: "ks_1" },
        { revision: 3, kind: "kill_switch", activates: null },
      ],
    },
  };
}

/** Answered ten milliseconds after it was sent. */
export function call(known: Partial<Call>): Call {
  const sentMs = known.sentMs ?? 0;
  const rest = { gateway: "gw-1", agent: "steady", order: 0, decision: "allow", decisionId: "", ...known };
  return { ...rest, sentMs, answeredMs: sentMs + 10 };
}

export function applied(known: Partial<Applied>): Applied {
  const place = { gateway: "gw-1", process: "gw-1 1", part: "gateway" };
  return { ...place, by: "event", revision: 1, change: "kill_switch", loggedMs: 0, ...known };
}

/** The log of one gateway, as docs/AUDIT-FORMAT.md specifies it. */
export function chainOf(logId: string, texts: readonly string[]): StoredRow[] {
  let hash = sha256(Buffer.from(`svc-audit-log/v1\n${logId}\n`));
  return texts.map((text, seq) => {
    const prevHash = hash;
    hash = sha256(Buffer.concat([Buffer.from(prevHash, "hex"), Buffer.from(text)]));
    return { logId, seq, prevHash, hash, text };
  });
}

export function headOf(chain: readonly StoredRow[]): Records["heads"][number] {
  const last = chain.at(-1);
  return { logId: last?.logId ?? "", size: chain.length, hash: last?.hash ?? "" };
}

/** Answered when gw-1 had acknowledged and gw-2 had not. */
function kill(): Kill {
  const silent = { id: "gw-2", isAcknowledged: false, leaseEndsMs: 2_600 };
  const gateways = [{ id: "gw-1", isAcknowledged: true, leaseEndsMs: null }, silent];
  return {
    agent: "agent-1",
    switchId: "ks_1",
    askedMs: 1_000,
    answeredMs: 1_100,
    isEnforced: false,
    gateways,
    leaseEndsMs: null,
  };
}

function cutOff(): Fault {
  const times = { beganMs: 2_000, inForceMs: 2_001, liftedMs: 5_000, endedMs: 5_001 };
  return { kind: "partition", target: "gw-1", isolates: true, ...times };
}

function textOf({ order, decision, agent }: Call): string {
  return JSON.stringify({ kind: "decision", decision, agent_id: agent, session_id: `call-${String(order)}` });
}

function idOf(each: Call, rows: readonly StoredRow[]): string | null {
  if (each.decisionId === null) return null;
  const row = rows.find(({ logId, text }) => logId === each.gateway && text === textOf(each));
  return `${each.gateway}.${String(row?.seq)}`;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
