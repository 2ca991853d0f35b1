import { matchesGlob } from "@svc/engine/glob";
import { coversAll, overlapOfAny } from "@svc/engine/glob-overlap";
import type { PolicyDocument } from "@svc/engine/policy-document";
import type { AuthoredRule } from "../authored-rule.ts";
import type { Draft, FindingCheck, Suspicion } from "../finding.ts";
import { type Assignment, waysTo } from "../witness/assignments.ts";
import { assigned, pinned, plainCall } from "../witness/draft-call.ts";

/** Most pairs of rules that are compared, as count. */
const MAX_PAIRS = 20_000;

/** Fields that say who calls: an allow rule about them is an exception for somebody. */
const WHO: ReadonlySet<string> = new Set(["agent_id", "session_id", "namespace"]);

/** An allow rule before a conditional deny or approval of which it is more than an exception. */
export const allowHidesRestriction: FindingCheck = {
  code: "policy/allow-hides-restriction",
  *suspect({ document, rules }) {
    const allows = rules.filter((authored) => authored.rule.action.kind === "allow" && !asksWho(authored));
    let pairs = 0;
    for (const hidden of rules) {
      const { action, match, priority, tools } = hidden.rule;
      if (match === null || (action.kind !== "deny" && action.kind !== "require_approval")) continue;
      for (const allow of allows) {
        pairs += 1;
        if (allow.rule.priority >= priority || pairs > MAX_PAIRS) break;
        const tool = overlapOfAny(allow.rule.tools, tools);
        // Without conditions it is an exception for some tools, or another warning speaks of the later rule.
        const isPlain = allow.rule.match === null;
        const isToldElsewhere = coversAll(tools, allow.rule.tools) || coversAll(allow.rule.tools, tools);
        if (tool === null || (isPlain && isToldElsewhere)) continue;
        if (!isAllowed(tool, document) || !isException(allow, hidden)) yield suspicionOf(allow, hidden, tool);
      }
    }
  },
};

function asksWho({ questions }: AuthoredRule): boolean {
  return questions.some(({ question: { subject } }) => subject.kind === "call" && WHO.has(subject.name));
}

function isAllowed(tool: string, { allowed, failClosed }: PolicyDocument): boolean {
  return !failClosed || allowed.some(({ glob }) => matchesGlob(glob, tool));
}

/**
 * Whether a rule that allows what is allowed anyway is there for the sake of the later one: it frees a dry
 * run, or the later one is about the hour or the session and not about what the call does.
 */
function isException(allow: AuthoredRule, hidden: AuthoredRule): boolean {
  const isSwitch = allow.questions.some(({ written }) => typeof written["value"] === "boolean");
  const kinds = hidden.questions.map(({ question: { subject } }) => subject.kind);
  return isSwitch || kinds.every((kind) => kind === "time" || kind === "usage");
}

function suspicionOf(allow: AuthoredRule, hidden: AuthoredRule, tool: string): Suspicion {
  const [first, later] = [allow.rule, hidden.rule];
  const priority = String(first.priority);
  return {
    place: later.place,
    related: first.place,
    shows: "passes",
    calls: callsOfBoth(allow, hidden, tool),
    keeps: drafts(tool, waysTo(true, matchOf(allow)), waysTo(false, matchOf(hidden))),
    repair: { kind: "rule", rule: later, written: { ...hidden.written, priority: first.priority } },
    words: {
      message:
        `${first.id} allows before ${later.id} is asked, because its priority number is lower: ` +
        `${later.id} does not stop a call that both match`,
      expected: `a priority of at most ${priority} for the rule that restricts`,
      found: `priority ${String(later.priority)}, after ${first.id} with ${priority}`,
      fix:
        `write priority: ${priority} in ${later.id}: among equals the stricter rule wins. ` +
        `If ${first.id} is an exception, exclude its calls from ${later.id} with not`,
    },
  };
}

function matchOf({ written }: AuthoredRule) {
  return written["match"] ?? null;
}

type Ways = readonly (readonly Assignment[])[];

/** Calls with the values of the first ways, and those of the second where they are about other fields. */
function drafts(tool: string, ways: Ways, beside: Ways): readonly Draft[] {
  return ways.flatMap((way) =>
    beside.map((also) => {
      const draft = pinned({ call: plainCall(tool), pinned: [] }, way);
      return { call: assigned(draft.call, also, draft.pinned), pinned: draft.pinned };
    }),
  );
}

function callsOfBoth(allow: AuthoredRule, hidden: AuthoredRule, tool: string): readonly Draft[] {
  const [one, other] = [waysTo(true, matchOf(allow)), waysTo(true, matchOf(hidden))];
  const joined = one.flatMap((way) => other.map((also) => joinedTexts(way, also)));
  return [...drafts(tool, other, one), ...drafts(tool, one, other), ...drafts(tool, joined, [[]])];
}

/** Two texts for one field, one after the other. */
function joinedTexts(way: readonly Assignment[], also: readonly Assignment[]): readonly Assignment[] {
  const joined = way.map(({ field, value }): Assignment => {
    const second = also.find((assignment) => assignment.field === field)?.value;
    return { field, value: typeof value === "string" && typeof second === "string" ? value + second : value };
  });
  return [...joined, ...also.filter(({ field }) => !way.some((assignment) => assignment.field === field))];
}
