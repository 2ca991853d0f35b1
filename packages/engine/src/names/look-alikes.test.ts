import { loadVectors } from "@svc/text/testing/vectors-suite";
import { describe, expect, it } from "vitest";
import { callOf, compiled } from "../testing/compiled.suite.ts";
import { LookAlikes } from "./look-alikes.ts";
import { skeletonOf } from "./skeleton.ts";

describe("the skeleton", () => {
  it.each([
    ["agent", "agent"],
    ["billing", "billing"],
    ["b\u0456lling", "billing"],
    ["\u0435\u0445\u0435\u0441", "exec"],
    ["\u0441\u043e\u0440\u0443", "copy"],
    ["m10", "rnlO"],
    ["I|l1", "llll"],
    ["\uff45xec", "exec"],
    ["\ud835\udc1agent", "agent"],
    ["a\u2024b", "a.b"],
    ["a\u2215b", "a/b"],
    ["a\u200bb", "ab"],
    ["\u00bd", "l/2"],
  ])("of %s is %s", (text, skeleton) => {
    expect(skeletonOf(text)).toBe(skeleton);
    expect(skeletonOf(skeletonOf(text))).toBe(skeletonOf(skeleton));
  });
});

/** Every character of Unicode that a pattern matches. */
function charactersOf(pattern: RegExp): readonly string[] {
  const found: string[] = [];
  for (let point = 0x80; point <= 0x10ffff; point++) {
    const character = String.fromCodePoint(point);
    if (pattern.test(character)) found.push(character);
  }
  return found;
}

describe("the skeleton of a character", () => {
  // proves NAME-10
  it("that is a dash is a dash, or the equals sign of three double ones", () => {
    const dashes = charactersOf(/^[\p{Pd}\u02d7\u2212\u2796\u30fc\uff70]$/u);
    const others = dashes.filter((dash) => skeletonOf(dash) !== "-");
    expect([others.join(""), ...others.map(skeletonOf)]).toEqual(["\u1400\u2e40\u30a0", "=", "=", "="]);
  });

  // proves NAME-10
  it("that connects words is the one in ASCII", () => {
    expect([...new Set(charactersOf(/^\p{Pc}$/u).map(skeletonOf))]).toEqual(["_"]);
  });

  // proves NAME-10
  it("that is a raised, circled or wide letter or digit is that of the letter", () => {
    const made = charactersOf(/^[\p{L}\p{N}\p{So}]$/u).filter((one) =>
      /^[\w.]+$/.test(one.normalize("NFKC")),
    );
    const others = made.filter((one) => skeletonOf(one) !== skeletonOf(one.normalize("NFKC")));
    // The long s looks like another letter than the one that it is.
    expect([made.length > 900, others]).toEqual([true, ["\u017f"]]);
  });
});

describe("look-alikes", () => {
  const known = (...names: readonly string[]): LookAlikes => {
    const looks = new LookAlikes();
    for (const name of names) looks.add(name);
    return looks;
  };

  // proves NAME-04
  it.each<readonly [string, string]>([
    ["copy", "\u0441\u043e\u0440\u0443"],
    ["\u0441\u043e\u0440\u0443", "copy"],
    ["\u0441\u043e\u0440\u0443", "\u03f2\u03bf\u03c1\u03b3"],
    ["exec.run", "\u0435\u0445\u0435\u0441.run"],
    ["admin", "\ud835\udc1admin"],
    ["a.b", "a\u2024b"],
    ...[
      "\uff0d",
      "\u2014",
      "\u2015",
      "\u05be",
      "\u30fc",
      "\u1806",
      "\u2212",
      "\u02d7",
      "\ufe58",
      "\u2e3a",
    ].map((dash) => ["bad-bot_1.x", `bad${dash}bot_1.x`] as const),
    ...["\u203f", "\u2040", "\u2054", "\ufe33", "\ufe34", "\ufe4d", "\uff3f"].map(
      (line) => ["bad-bot_1.x", `bad-bot${line}1.x`] as const,
    ),
    ...["\u1d52", "\u00ba", "\u2092", "\u24de", "\uff4f"].map(
      (letter) => ["bad-bot_1.x", `bad-b${letter}t_1.x`] as const,
    ),
    ...["\u0332", "\u0333", "\u0335", "\u0338", "\u20dd", "\ufe20", "\u0300\u0332"].map(
      (marks) => ["bad-bot_1.x", `bad-bot${marks}_1.x`.normalize("NFC")] as const,
    ),
    ["b\u00e4d", "b\u00e4\u0332d"],
  ])("%s is what %s looks like", (name, other) => {
    expect(known("x", name).find(other)).toBe(name);
  });

  // proves NAME-05
  it.each([
    ["agent-1", "agent-l"],
    ["agent-O", "agent-0"],
    ["modem", "rnodern"],
    ["copy", "copy"],
    ["\u0441\u043e\u0440\u0443", "\u0441\u043e\u0440\u0443"],
    ["analysis", "\u0430\u043d\u0430\u043b\u0438\u0437"],
    ["tokyo", "\u6771\u4eac"],
    ["muller", "m\u00fcller"],
    ["\u0939\u093f\u0928", "\u0939\u0928"],
  ])("%s is not taken for %s", (name, other) => {
    expect(known(name).find(other)).toBeNull();
  });

  it("each addition is taken back once", () => {
    const looks = known("\u0441\u043e\u0440\u0443", "\u0441\u043e\u0440\u0443", "agent-1");
    looks.remove("\u0441\u043e\u0440\u0443");
    expect([looks.isPlain, looks.find("copy")]).toEqual([false, "\u0441\u043e\u0440\u0443"]);
    looks.remove("\u0441\u043e\u0440\u0443");
    looks.remove("unknown");
    expect([looks.isPlain, looks.find("copy"), looks.has("agent-1")]).toEqual([true, null, true]);
  });
});

describe("the names in a policy", () => {
  const POLICY = `
id: p
tools:
  allowed: ["*"]
  denied: ["exec.*", "copy", "*.pay", "a*", "db.drop_*", "db.drop_table"]
  read_only: ["peek"]
rules:
  - {id: r, match: {tool: ["soap", "\u0441\u0443\u043f.*"]}, action: deny}
  - {id: s, match: {condition: {field: agent_id, operator: in, value: [boss, scope]}}, action: deny}
`;
  const { names } = compiled(POLICY);
  const of = (tool: string, agent = "a-1"): string | null =>
    names.confusion({ agent_id: agent, session_id: null, namespace: "default", tool })?.other ?? null;

  // proves NAME-06
  it.each([
    ["\u0435\u0445\u0435\u0441.run", "exec.*"],
    ["\u0441\u043e\u0440\u0443", "copy"],
    ["x.\u0440\u0430\u0443", "*.pay"],
    ["\u0455\u043e\u0430\u0440", "soap"],
    ["cy\u043f.x", null],
    ["\u0430\u043d\u0430\u043b\u0438\u0437", null],
    ["\u0430", "a*"],
    ["exec.run", null],
    ["copy", null],
    ["\u0441\u0443\u043f.x", null],
    ["db.drop\ufe34table", "db.drop_table"],
    ["db.dr\u1d52p_table", "db.drop_table"],
    ["db.dr\u1d52p\u203fall", "db.drop_*"],
    ["db.drop\u2014table", null],
    ["\u6771\u4eac", null],
  ])("the tool %s looks like %s", (tool, other) => {
    expect(of(tool)).toBe(other);
  });

  it("conditions name agents, too", () => {
    expect(of("t", "\u0455\u0441\u043e\u0440\u0435")).toBe("scope");
    expect(of("t", "scope")).toBeNull();
    expect(names.isPlain).toBe(false);
    expect(compiled("id: p\ntools: {allowed: [a]}").names.isPlain).toBe(true);
  });
});

// proves NAME-03
it.each(loadVectors<{ readonly text: string }>("spellings"))("a policy can allow $text alone", ({ text }) => {
  const policy = compiled(
    `id: p\nagent_id: ${JSON.stringify(text)}\ntools: {allowed: [${JSON.stringify(text)}]}`,
  );
  expect(policy.agentId).toBe(text);
  expect(policy.evaluate(callOf(text)).decision).toBe("allow");
  expect(policy.evaluate(callOf(`${text}x`)).decision).toBe("deny");
});
