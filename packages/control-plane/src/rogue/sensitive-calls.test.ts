import type { OpenCallers, OpenTools } from "@svc/audit-index/audit-answers";
import { DEFAULT_ROGUE_DETECTION } from "@svc/contract/rogue-detection";
import { describe, expect, it } from "vitest";
import { FakeTime } from "../testing/fake-time.ts";
import { SensitiveCalls } from "./sensitive-calls.ts";

const settingsWith = (namespace: string, ...sensitive_tools: string[]) => ({
  org: "acme",
  namespace,
  settings: { ...DEFAULT_ROGUE_DETECTION, risk: { sensitive_tools } },
});

/** An index with some open calls by agent, and what was asked of it. */
function bench(every = [settingsWith("prod", "payments.*", "db.drop"), settingsWith("dev")]) {
  const time = new FakeTime();
  const calls = new Map([["a-1", "payments.wire"]]);
  const asked: string[] = [];
  const logged: string[] = [];
  const state = { fails: false, complete: true };
  const ask = <Found>(namespace: string, found: Found): Found => {
    asked.push(namespace);
    if (state.fails) throw new Error("the index is away");
    return found;
  };
  const risks = new SensitiveCalls({
    index: {
      openTools: async ({ namespace }): Promise<OpenTools> =>
        ask(namespace, { tools: [...new Set(calls.values())], complete: state.complete }),
      openCallers: async ({ namespace, tools }): Promise<OpenCallers> => {
        const callers = [...calls].map(([agentId, tool]) => ({ agentId, tool }));
        return ask(namespace, {
          callers: callers.filter(({ tool }) => tools.includes(tool)),
          complete: state.complete,
        });
      },
    },
    settings: { every: () => every },
    clock: time,
    timers: time,
    log: { warn: (_fields: unknown, message: string) => void logged.push(message) },
  });
  return { risks, calls, asked, logged, state, time, every };
}

describe("SensitiveCalls", () => {
  // proves ROGUE-16
  it("knows the agents with an open call of a sensitive tool, and who changed", async () => {
    const { risks, calls } = bench();
    calls.set("a-2", "crm.read");
    await risks.read();
    expect(["a-1", "a-2"].map((agent) => risks.sensitiveTool("acme", agent))).toEqual([
      "payments.wire",
      null,
    ]);
    expect(risks.sensitiveTool("other", "a-1")).toBeNull();
    expect([...risks.takeChanged()]).toEqual([{ org: "acme", agentId: "a-1" }]);
    expect([...risks.takeChanged()]).toEqual([]);
    calls.delete("a-1");
    calls.set("a-2", "db.drop");
    await risks.read();
    expect(["a-1", "a-2"].map((agent) => risks.sensitiveTool("acme", agent))).toEqual([null, "db.drop"]);
    expect(new Set([...risks.takeChanged()].map(({ agentId }) => agentId))).toEqual(new Set(["a-1", "a-2"]));
  });

  it("asks nothing where no sensitive tool is named", async () => {
    const { risks, asked } = bench([settingsWith("dev")]);
    await risks.read();
    expect(asked).toEqual([]);
  });

  it("keeps what it knows while the index does not answer, and says so once", async () => {
    const { risks, state, logged } = bench();
    await risks.read();
    state.fails = true;
    await risks.read();
    await risks.read();
    expect(risks.sensitiveTool("acme", "a-1")).toBe("payments.wire");
    expect(logged).toEqual(["calls of sensitive tools could not be read"]);
  });

  it("forgets the agents of a namespace that names no sensitive tool any more", async () => {
    const { risks, every } = bench();
    await risks.read();
    every.splice(0);
    await risks.read();
    expect(risks.sensitiveTool("acme", "a-1")).toBeNull();
  });

  it("says when there are more calls than it looks at", async () => {
    const { risks, state, logged } = bench();
    state.complete = false;
    await risks.read();
    expect(logged).toEqual(["some calls of sensitive tools do not count: there are too many calls"]);
  });

  it("reads again every five seconds until it is stopped", async () => {
    const { risks, calls, asked, time } = bench();
    risks.start();
    await time.advance(5_000);
    calls.clear();
    await time.advance(5_000);
    expect(risks.sensitiveTool("acme", "a-1")).toBeNull();
    await risks.stop();
    const before = asked.length;
    await time.advance(60_000);
    expect(asked).toHaveLength(before);
  });
});
