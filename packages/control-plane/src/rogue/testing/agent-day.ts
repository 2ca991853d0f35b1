import { DEFAULT_ROGUE_DETECTION, type RogueDetectionSettings } from "@svc/contract/rogue-detection";

/**
 * Seconds between two looks of a simulated supervisor: 240 times as long as in truth, and so are intervals.
 * Everything happens at multiples of it.
 */
export const LOOK_SECONDS = 60;

export const NAMESPACES = 4;

/** Something that happens to the world of a simulated day. Agents, and their one session, are numbers. */
export type DayEvent =
  | { readonly kind: "beat"; readonly agent: number; readonly parent: number | null }
  | { readonly kind: "authenticate" | "end" | "reregister"; readonly agent: number }
  | { readonly kind: "kill" | "sensitive"; readonly agent: number; readonly isOn: boolean }
  | { readonly kind: "settings"; readonly namespace: number; readonly settings: RogueDetectionSettings }
  /** The clock of the store jumps. */
  | { readonly kind: "jump"; readonly byMs: number }
  /** The leader is gone; or another process takes the lead, also from one that is still there. */
  | { readonly kind: "nobody_leads" | "another_leads" };

/** What happens at each second of a day. */
export type Day = ReadonlyMap<number, readonly DayEvent[]>;

export type Random = () => number;

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const between = (random: Random, from: number, to: number): number =>
  from + Math.floor(random() * (to - from + 1));

export function randomSettings(random: Random): RogueDetectionSettings {
  const warn = between(random, 1, 3);
  const critical = warn + between(random, 1, 3);
  return {
    heartbeat: {
      interval_seconds: between(random, 1_200, 3_600),
      warn_after_missed: warn,
      critical_after_missed: critical,
      emergency_after_missed: critical + between(random, 1, 4),
    },
    orphan_detection: {
      enabled: random() < 0.9,
      parent_check_interval_seconds: between(random, 300, 3_600),
      grace_period_seconds: between(random, 120, 7_200),
    },
    escalation: DEFAULT_ROGUE_DETECTION.escalation,
    coverage: DEFAULT_ROGUE_DETECTION.coverage,
    risk: DEFAULT_ROGUE_DETECTION.risk,
    behaviour: DEFAULT_ROGUE_DETECTION.behaviour,
  };
}

export function toggle(set: Set<number>, agent: number, isOn: boolean): void {
  if (isOn) set.add(agent);
  else set.delete(agent);
}

export interface DayPlan {
  readonly agents: number;
  readonly seconds: number;
}

/** Makes a day: agents that live, fall silent, come back, authenticate again or not, end, lose parents. */
export function randomDay(random: Random, { agents, seconds }: DayPlan): Day {
  const day = new Map<number, DayEvent[]>();
  const add = (second: number, event: DayEvent): void => {
    const at = Math.ceil(second / LOOK_SECONDS) * LOOK_SECONDS;
    if (at < seconds) day.set(at, [...(day.get(at) ?? []), event]);
  };
  const some = (count: number, event: (random: Random) => DayEvent): void => {
    for (let left = Math.ceil(count); left > 0; left -= 1) add(random() * seconds, event(random));
  };
  addLeaders(random, seconds, add);
  const agent = (): number => between(random, 0, agents - 1);
  some(5, () => ({
    kind: "settings",
    namespace: between(random, 0, NAMESPACES - 1),
    settings: randomSettings(random),
  }));
  some(agents / 20, () => ({ kind: "kill", agent: agent(), isOn: random() < 0.7 }));
  some(agents / 5, () => ({ kind: "sensitive", agent: agent(), isOn: random() < 0.5 }));
  some(agents / 10, () => ({ kind: "reregister", agent: agent() }));
  for (let each = 0; each < agents; each += 1) addAgent(random, each, { agents, seconds }, add);
  return day;
}

type Add = (second: number, event: DayEvent) => void;

/** Leaders that come and go, and a clock that jumps; it is set back only while somebody leads. */
function addLeaders(random: Random, seconds: number, add: Add): void {
  let second = between(random, 0, 600);
  while (second < seconds) {
    add(second, { kind: "another_leads" });
    const lasts = between(random, 10 * LOOK_SECONDS, 20_000);
    const jumps = between(random, 0, 2);
    for (let left = jumps; left > 0; left -= 1) {
      const byMs = 2 * between(random, 5_000, 2_000_000) + 1;
      // Not at the very end: the supervisor must see the clock that was set back.
      const at = second + LOOK_SECONDS * 2 + random() * Math.max(lasts - LOOK_SECONDS * 8, 0);
      add(at, { kind: "jump", byMs: random() < 0.5 ? byMs : -byMs });
    }
    second += lasts;
    if (random() < 0.5) continue;
    add(second, { kind: "nobody_leads" });
    second += between(random, LOOK_SECONDS, 4_000);
  }
}

/** Sessions of one group may name each other as parents, so lines and circles come about. */
const GROUP = 8;

function addAgent(random: Random, agent: number, { agents, seconds }: DayPlan, add: Add): void {
  const pace = between(random, 1_000, 2_700);
  const first = Math.floor(agent / GROUP) * GROUP;
  const parentOf = (): number | null => {
    if (random() < 0.6) return null;
    return random() < 0.95 ? Math.min(between(random, first, first + GROUP - 1), agents - 1) : agents;
  };
  let second = random() * 7_200;
  let parent = parentOf();
  while (second < seconds) {
    for (let beats = between(random, 1, 25); beats > 0; beats -= 1) {
      add(second, { kind: "beat", agent, parent });
      second += pace * (0.7 + 0.3 * random());
    }
    if (random() < 0.15) add(second, { kind: "end", agent });
    second += random() * random() * pace * 12;
    if (random() < 0.5) parent = parentOf();
    if (random() < 0.6) add(second + pace * random(), { kind: "authenticate", agent });
  }
}
