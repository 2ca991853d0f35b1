import { setImmediate as nextTurn } from "node:timers/promises";
import type { Store } from "@svc/store/ports/store";
import fc from "fast-check";
import { expect } from "vitest";
import { APPROVERS, Interleaving, LATEST, openWorld, type Step, type Told } from "./approval-world.ts";
import { AMOUNTS, EDITS } from "./logged-approvals.ts";

/** Interleavings that share a store, each in an organization of its own: opening a store takes its time. */
const PER_STORE = 250;

const HOUR_MS = 3_600_000;

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant("call" as const), amount: fc.constantFrom(...AMOUNTS) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("keyed_call" as const),
      amount: fc.constantFrom(...AMOUNTS),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("resolve" as const),
      to: fc.constantFrom("approved" as const, "approved" as const, "denied" as const, "cancelled" as const),
      pick: fc.nat({ max: 5 }),
      by: fc.constantFrom(...APPROVERS),
      edited: fc.constantFrom(...EDITS),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom("suspend", "resume", "kill", "revive", "revive", "change_policy", "store_ends"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.constantFrom(HOUR_MS, 24 * HOUR_MS) }),
  },
);

/** A step of a group, and after how many turns of the event loop it begins. */
const staggered = fc.record({ step: anyStep, turns: fc.nat({ max: 6 }) });

type Staggered = { readonly step: Step; readonly turns: number };

const alone = (...steps: readonly Step[]): Staggered[][] => steps.map((step) => [{ step, turns: 0 }]);

const firstCall = fc.constantFrom({ kind: "call" as const }, { kind: "keyed_call" as const });

/** A call with a grant, which other steps race for. */
const race = fc
  .record({
    amount: fc.constantFrom(...AMOUNTS),
    edited: fc.constantFrom(...EDITS),
    turns: fc.nat({ max: 3 }),
  })
  .chain(({ amount, edited, turns }) =>
    fc.tuple(firstCall, fc.array(staggered, { minLength: 1, maxLength: 4 })).map(([first, others]) => {
      const step = { ...first, amount };
      const approve = { kind: "resolve", to: "approved", pick: LATEST, edited } as const;
      const approvals = APPROVERS.map((by) => ({ ...approve, by }));
      return [...alone(step, ...approvals), [{ step, turns }, { step, turns: 0 }, ...others]];
    }),
  );

/** Steps of one group run at once; a group of one step runs alone. */
const groups = fc
  .array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.array(anyStep, { minLength: 1, maxLength: 3 }).map((steps) => alone(...steps)),
      },
      { weight: 1, arbitrary: fc.array(staggered, { minLength: 2, maxLength: 5 }).map((group) => [group]) },
      { weight: 1, arbitrary: race },
    ),
    { minLength: 2, maxLength: 7 },
  )
  .map((parts) => parts.flat());

export interface InterleavingsOptions {
  readonly open: () => Promise<Store>;
  readonly runs: number;
}

/** Random interleavings, each followed by the model. At least a tenth of them must let a call pass. */
export async function followInterleavings({ open, runs }: InterleavingsOptions): Promise<void> {
  let begun = 0;
  let passed = 0;
  const worlds: Awaited<ReturnType<typeof openWorld>>[] = [];
  const property = fc.asyncProperty(groups, async (steps) => {
    if (begun % PER_STORE === 0) {
      await worlds.at(-1)?.store.close();
      worlds.push(await openWorld(await open()));
    }
    const world = worlds.at(-1) ?? expect.unreachable("no world was opened");
    begun += 1;
    const interleaving = await Interleaving.begin(world, `org-${String(begun)}`);
    await interleaving.follow();
    for (const group of steps) {
      const [only, ...others] = group;
      if (only !== undefined && others.length === 0) await takeAlone(interleaving, only.step);
      else await takeAtOnce(interleaving, group);
    }
    passed += interleaving.model.approvals.filter(({ usedBy }) => usedBy !== null).length;
  });
  await fc.assert(property, { numRuns: runs });
  await worlds.at(-1)?.store.close();
  expect(passed).toBeGreaterThan(runs / 10);
}

async function takeAlone(interleaving: Interleaving, step: Step): Promise<void> {
  const foretold = interleaving.foretold(step);
  const { isKilled, version } = interleaving.model;
  const answer = await interleaving.take(step);
  await interleaving.follow();
  if (foretold !== null) return expect(foretold).toContain(answer.text);
  if (!answer.text.startsWith("allow")) return;
  expect([isKilled, answer.version]).toEqual([false, version]);
  expectUse(interleaving, answer);
}

async function takeAtOnce(interleaving: Interleaving, group: readonly Staggered[]): Promise<void> {
  const { model } = interleaving;
  const { version } = model;
  const isRevived = group.some(({ step }) => step.kind === "revive");
  let isStopped = model.isKilled;
  const answers = await Promise.all(
    group.map(async ({ step, turns }) => {
      for (let turn = 0; turn < turns; turn += 1) await nextTurn();
      const answer = await interleaving.take(step);
      const isLate = isStopped;
      if (step.kind === "kill") {
        // An answer that was on its way takes its turn before the switch counts as confirmed.
        await nextTurn();
        isStopped = true;
      }
      return { ...answer, isLate };
    }),
  );
  await interleaving.follow();
  for (const answer of answers.filter(({ text }) => text.startsWith("allow"))) {
    expect(answer.isLate && !isRevived, "a call passed after a kill switch was confirmed").toBe(false);
    expect(answer.version, "a call passed under an old version").toBeGreaterThanOrEqual(version);
    expectUse(interleaving, answer);
  }
}

/** Who was told allow has the row that used the grant, and the arguments that were approved. */
function expectUse({ model }: Interleaving, { text, decision }: Told): void {
  const used = model.approvals.find(({ usedBy }) => usedBy === decision);
  expect(used, "a call passed without a row that uses a grant").toBeDefined();
  expect(text).toBe(`allow ${String(used?.edited ?? used?.amount)}`);
}
