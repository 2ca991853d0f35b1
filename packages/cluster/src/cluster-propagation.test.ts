import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "@svc/process/clock";
import type { ClusterAnswer, ClusterMember, ClusterQuestion } from "@svc/store/ports/cluster";
import { describe, expect, it, vi } from "vitest";
import { ClusterPropagation } from "./cluster-propagation.ts";
import { mergeEffects } from "./cluster-question.ts";
import { LiveMembers } from "./live-members.ts";

function member(id: string, applied: number, role: ClusterMember["role"] = "gateway"): ClusterMember {
  const facts = { host: "host", version: "1", role, startedAt: "2026-01-01T00:00:00.000Z" };
  const times = { controlAgeMs: 0, lastSeenMs: 0, joinedRevision: 0, joinedMs: 0 };
  return { id, applied, ...facts, ...times, epoch: 1, beat: 1, decisionsPerSecond: 0 };
}

/** Ten times slower than the machine's: a wait of 100 ms must not end because others keep the processor. */
const SLOW_CLOCK = { nowMs: () => systemClock.nowMs() / 10, now: () => systemClock.now() };

function stage(members: ClusterMember[], head = 9) {
  const answers: ClusterAnswer[] = [];
  const made = {
    members,
    answers,
    asked: (question: ClusterQuestion): void => expect.unreachable(`asked ${question.id}`),
    view: (): Promise<{ nowMs: number; head: number; members: readonly ClusterMember[] }> =>
      Promise.resolve({ nowMs: 0, head, members: [...members] }),
  };
  const propagation = new ClusterPropagation({
    cluster: {
      view: () => made.view(),
      caughtUp: async (revision, questionId) => {
        const { members: found } = await made.view();
        const textOf = (id: string): string | null =>
          answers.find((answer) => answer.questionId === questionId && answer.memberId === id)?.text ?? null;
        const caughtUp = found.filter(({ applied }) => applied >= revision);
        return caughtUp.map(({ id }) => ({ memberId: id, text: textOf(id) }));
      },
      ask: (question) => Promise.resolve(made.asked(question)),
      answersTo: (questionId) =>
        Promise.resolve(answers.filter((answer) => answer.questionId === questionId)),
    },
    living: new LiveMembers(systemClock),
    follower: { wake: () => undefined },
    clock: SLOW_CLOCK,
  });
  return { ...made, stage: made, propagation };
}

const SWITCH = {
  killSwitchId: "ks_1",
  revision: 9,
  target: { org: "default", scope: "agent", targetId: "agent-1" },
} as const;

function effectOf(memberId: string, questionId: string): ClusterAnswer {
  const affected = { agents: [`seen-by-${memberId}`], sessions: [] };
  return { memberId, questionId, text: JSON.stringify({ affected, sighting: null }) };
}

const acknowledgedIds = (gateways: readonly { id: string; acknowledged_ms: number | null }[]) =>
  gateways.flatMap(({ id, acknowledged_ms }) => (acknowledged_ms === null ? [] : id));

describe("the propagation in a cluster", () => {
  it("is acknowledged by what a gateway has written, and by nothing else", async () => {
    const { propagation, members } = stage([member("a", 7), member("b", 6), member("c", 0, "control")]);
    const announced = propagation.announce(7);
    setTimeout(() => void members.splice(1, 1, member("b", 7)), 5);
    const gateways = await announced;
    expect(gateways.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(acknowledgedIds(gateways)).toEqual(["a", "b"]);
  });

  it("reads once for all who wait at once, and never hands on what was read before a call", async () => {
    const made = stage([member("a", 6)]);
    const read = made.view.bind(made);
    const view = vi.spyOn(made.stage, "view").mockImplementation(() => delay(3).then(read));
    const announced = Array.from({ length: 20 }, () => made.propagation.announce(7));
    setTimeout(() => void made.members.splice(0, 1, member("a", 7)), 5);
    for (const gateways of await Promise.all(announced)) expect(acknowledgedIds(gateways)).toEqual(["a"]);
    expect(view.mock.calls.length).toBeLessThan(20);
  });

  it("goes on after a read that fails", async () => {
    const made = stage([member("a", 6)]);
    const announced = made.propagation.announce(7);
    vi.spyOn(made.stage, "view").mockRejectedValueOnce(new Error("away"));
    setTimeout(() => void made.members.splice(0, 1, member("a", 7)), 5);
    expect(acknowledgedIds(await announced)).toEqual(["a"]);
  });

  it("names the gateways when the first read of them failed", async () => {
    const made = stage([member("a", 7), member("b", 6)]);
    vi.spyOn(made.stage, "view").mockRejectedValueOnce(new Error("away"));
    const gateways = await made.propagation.announce(7);
    expect(gateways.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(acknowledgedIds(gateways)).toEqual(["a"]);
  });

  it("reads once more when one read took all of the wait", async () => {
    const made = stage([member("a", 6)]);
    const older = await made.view();
    vi.spyOn(made.stage, "view").mockImplementationOnce(() => delay(150).then(() => older));
    setTimeout(() => void made.members.splice(0, 1, member("a", 7)), 50);
    expect(acknowledgedIds(await made.propagation.announce(7))).toEqual(["a"]);
  });

  it("S7: lists a silent gateway with the end of its lease, and waits no longer than it may", async () => {
    const { propagation } = stage([member("a", 7), member("b", 6)]);
    const startedMs = Date.now();
    const [first, second] = await propagation.announce(7);
    expect(first?.acknowledged_ms).not.toBeNull();
    expect(first).not.toHaveProperty("lease_ends_at");
    expect(second).toMatchObject({ id: "b", acknowledged_ms: null });
    const leaseMs = Date.parse(second?.lease_ends_at ?? "") - startedMs;
    expect(leaseMs).toBeGreaterThanOrEqual(1_499);
  });

  it("S7: a revision of 0 is everything that was committed; every process judges keys", async () => {
    const { propagation } = stage([member("a", 9), member("b", 8), member("c", 8, "control")]);
    expect(acknowledgedIds(await propagation.announce(0))).toEqual(["a"]);
    const keys = await propagation.announceKeyChange(8, 100);
    expect(acknowledgedIds(keys)).toEqual(["a", "b", "c"]);
  });

  it("S7: rejects while the database does not answer", async () => {
    const made = stage([member("a", 9)]);
    made.stage.view = () => Promise.reject(new Error("away"));
    await expect(made.propagation.announce(9)).rejects.toThrow("away");
  });

  it("asks every gateway whether a policy is in force, and believes only answers", async () => {
    const made = stage([member("a", 9), member("b", 9)]);
    made.stage.asked = ({ id, text }) => {
      expect(JSON.parse(text)).toEqual({ kind: "policies", revision: 9 });
      made.answers.push({ questionId: "ask_of_another_process", memberId: "b", text: "{}" });
      for (const memberId of ["a", "b"]) made.answers.push({ questionId: id, memberId, text: "{}" });
    };
    expect(acknowledgedIds(await made.propagation.announcePolicyChange(9))).toEqual(["a", "b"]);
  });

  it("S1: asks again about a policy when the question was lost on its way", async () => {
    const made = stage([member("a", 9), member("b", 9)]);
    const asked: string[] = [];
    made.stage.asked = ({ id }) => {
      asked.push(id);
      const heardBy = asked.length === 1 ? "a" : "b";
      made.answers.push({ questionId: id, memberId: heardBy, text: "{}" });
    };
    expect(acknowledgedIds(await made.propagation.announcePolicyChange(9))).toEqual(["a", "b"]);
    expect(new Set(asked).size).toBe(1);
    expect(asked).toHaveLength(2);
  });

  it("takes who is affected by a switch from the acknowledgements, and asks nobody", async () => {
    const made = stage([member("a", 8), member("b", 8), member("c", 0, "control")]);
    const { acknowledged, probed } = made.propagation.announceSwitch(SWITCH);
    setTimeout(() => {
      for (const [at, id] of ["a", "b"].entries()) {
        made.members.splice(at, 1, member(id, 9));
        made.answers.push(effectOf(id, "effect_9_ks_1"));
      }
    }, 5);
    expect(acknowledgedIds(await acknowledged)).toEqual(["a", "b"]);
    expect((await probed).affected).toEqual({ agents: ["seen-by-a", "seen-by-b"], sessions: [] });
  });

  it("asks a gateway that acknowledged a switch without an answer: it is of an earlier version", async () => {
    const made = stage([member("a", 9), member("b", 9)]);
    made.answers.push(effectOf("a", "effect_9_ks_1"));
    const asked: unknown[] = [];
    made.stage.asked = ({ id, text }) => {
      asked.push(JSON.parse(text));
      made.answers.push(effectOf("b", id));
    };
    const { acknowledged, probed } = made.propagation.announceSwitch(SWITCH);
    expect(acknowledgedIds(await acknowledged)).toEqual(["a", "b"]);
    expect((await probed).affected.agents).toEqual(["seen-by-a", "seen-by-b"]);
    expect(asked).toEqual([{ kind: "effect", target: SWITCH.target, revision: 9 }]);
  });

  it("S7: says who is affected as far as it is known when a gateway is silent, and asks nobody", async () => {
    const made = stage([member("a", 9), member("b", 8)]);
    made.answers.push(effectOf("a", "effect_9_ks_1"));
    const { acknowledged, probed } = made.propagation.announceSwitch(SWITCH);
    expect(acknowledgedIds(await acknowledged)).toEqual(["a"]);
    const { gateways, affected } = await probed;
    expect(acknowledgedIds(gateways)).toEqual(["a"]);
    expect(affected.agents).toEqual(["seen-by-a"]);
  });

  it("S7: rejects both while the database does not answer", async () => {
    const made = stage([member("a", 9)]);
    made.stage.view = () => Promise.reject(new Error("away"));
    const { acknowledged, probed } = made.propagation.announceSwitch(SWITCH);
    await expect(acknowledged).rejects.toThrow("away");
    await expect(probed).rejects.toThrow("away");
  });

  it("puts together what the gateways know", () => {
    const since = ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"] as const;
    const one = {
      affected: { agents: ["b", "a"], sessions: [] },
      sighting: { seen: null, nearest: "payments", since: since[0] },
    };
    const two = {
      affected: { agents: ["a"], sessions: ["s"] },
      sighting: { seen: false, nearest: null, since: since[1] },
    };
    expect(mergeEffects([one, two])).toEqual({
      affected: { agents: ["a", "b"], sessions: ["s"] },
      sighting: { seen: null, nearest: "payments", since: since[1] },
    });
    const seen = { ...two, sighting: { seen: true, nearest: null, since: since[1] } };
    expect(mergeEffects([one, seen]).sighting).toEqual({ seen: true, nearest: null, since: since[1] });
    expect(mergeEffects([])).toEqual({ affected: { agents: [], sessions: [] }, sighting: null });
  });
});
