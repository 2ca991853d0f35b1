import { killSwitch } from "@svc/control-feed/testing/fake-feed";
import { describe, expect, it } from "vitest";
import { SwitchEffects } from "./switch-effects.ts";

function stage() {
  const asked: unknown[] = [];
  const effects = new SwitchEffects({
    affected: (target) => {
      asked.push(target);
      return { agents: ["a-1"], sessions: [] };
    },
    sighting: () => null,
  });
  const apply = (revision: number, status: "active" | "inactive" = "active"): void =>
    effects.apply({
      revision,
      org: "o",
      change: {
        kind: "kill_switch",
        record: killSwitch({ kill_switch_id: `ks_${String(revision)}`, status }),
      },
    });
  return { effects, asked, apply };
}

describe("the effects of switches", () => {
  it("are answered once, for switches that are enforced, under the name that the asker knows", () => {
    const { effects, apply } = stage();
    apply(1);
    apply(2, "inactive");
    apply(3);
    const text = JSON.stringify({ affected: { agents: ["a-1"], sessions: [] }, sighting: null });
    expect(effects.answersUpTo(2)).toEqual([{ questionId: "effect_1_ks_1", text }]);
    expect(effects.answersUpTo(2)).toEqual([]);
    expect(effects.answersUpTo(3)).toEqual([{ questionId: "effect_3_ks_3", text }]);
    expect(effects.revision).toBe(3);
  });

  it("are computed when they are answered, and not for a switch that came with a snapshot", () => {
    const { effects, asked, apply } = stage();
    apply(1);
    expect(asked).toEqual([]);
    expect([...effects.load({ revision: 7, changes: [] })]).toHaveLength(1);
    expect([effects.revision, effects.answersUpTo(7), asked]).toEqual([7, [], []]);
  });

  it("are kept for a hundred switches while nothing is acknowledged", () => {
    const { effects, apply } = stage();
    for (let revision = 1; revision <= 150; revision += 1) apply(revision);
    const answered = effects.answersUpTo(150);
    expect([answered.length, answered[0]?.questionId]).toEqual([100, "effect_51_ks_51"]);
  });
});
