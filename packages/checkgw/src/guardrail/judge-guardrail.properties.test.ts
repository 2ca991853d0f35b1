import type { Verdict } from "@svc/contract/verdict";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dialectOf } from "./dialect-name.ts";
import { ALLOWED, DENIED, type Judged, judgeJson, PAUSED } from "./testing/judge-json.ts";
import {
  completion,
  litellmRequest,
  litellmResponse,
  portkeyAfter,
  portkeyBefore,
  toolCall,
} from "./testing/messages.ts";

const DIALECTS = ["portkey", "litellm", "agentgateway_request", "agentgateway_response"] as const;

/** Values that bodies are made of: words that readers look for, and anything else. */
const word = fc.constantFrom(
  "a.b",
  "",
  "x y",
  "beforeRequestHook",
  "response",
  "{}",
  '{"x":1}',
  "[",
  "\u0000",
  "😀",
);
const leaf = fc.oneof(word, fc.string({ maxLength: 8 }), fc.integer(), fc.boolean(), fc.constant(null));
const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        "role",
        "content",
        "text",
        "tool_calls",
        "function",
        "name",
        "arguments",
        "type",
        "choices",
        "x",
      ),
      tie("value"),
      { maxKeys: 4 },
    ),
  ),
})).value;

const call = fc.oneof(
  fc.tuple(word, word).map(([name, args]) => toolCall(name, args)),
  fc.constant(toolCall("a.b", '{"x":1}')),
  anything,
);
const calls = fc.array(call, { maxLength: 4 }) as fc.Arbitrary<object[]>;
const message = fc.oneof(
  fc.record({ role: fc.constantFrom("user", "tool"), content: fc.oneof(word, anything) }),
  anything,
);
const messages = fc.array(message, { maxLength: 3 });

/** Bodies near those that the callers send, and others. */
const body: fc.Arbitrary<unknown> = fc.oneof(
  anything,
  fc.string(),
  messages.map((list) => portkeyBefore({ messages: list })),
  fc
    .tuple(fc.oneof(word, fc.constant(null)), calls)
    .map(([text, list]) => portkeyAfter(completion(text, list))),
  anything.map((json) => portkeyAfter(json)),
  fc
    .tuple(anything, fc.constantFrom("complete", "embed", "messages"))
    .map(([json, type]) => portkeyBefore(json, type)),
  fc
    .tuple(fc.array(word), messages)
    .map(([texts, rows]) => litellmRequest(texts, { structured_messages: rows })),
  fc.tuple(fc.array(word), calls).map(([texts, list]) => litellmResponse(texts, list)),
  messages.map((list) => ({ body: { messages: list } })),
  fc.tuple(word, calls).map(([text, list]) => ({ body: completion(text, list) })),
);

const shapedTo = (args: unknown): Verdict =>
  ({ decision: "allow", decision_id: "g.9", args_constrained: true, shaped_args: args }) as Verdict;
const verdict: fc.Arbitrary<Verdict> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(ALLOWED) },
  fc.constantFrom(DENIED, PAUSED),
  fc.dictionary(word, anything).map(shapedTo),
);

async function judgeScripted(
  dialect: (typeof DIALECTS)[number],
  value: unknown,
  script: readonly Verdict[],
): Promise<Judged & { readonly given: readonly Verdict[] }> {
  const given: Verdict[] = [];
  const judged = await judgeJson(dialect, value, {
    decide: () => {
      const next = script[given.length % script.length] ?? DENIED;
      given.push(next);
      return Promise.resolve(next);
    },
  });
  return { ...judged, given };
}

/** Whether the caller is handed something to put in place of what it has. */
function carriesRewrite(dialect: (typeof DIALECTS)[number], answer: Judged["answer"]): boolean {
  switch (dialect) {
    case "portkey":
      return "transformedData" in answer;
    case "litellm":
      return answer["action"] === "GUARDRAIL_INTERVENED";
    case "agentgateway_request":
    case "agentgateway_response":
      return "body" in (answer["action"] as object);
  }
}

describe("whatever comes, for every dialect", { timeout: 60_000 }, () => {
  const dialect = fc.constantFrom(...DIALECTS);

  it("nothing passes without an allow for every question, and no rewrite is dropped in silence", async () => {
    await fc.assert(
      fc.asyncProperty(
        dialect,
        body,
        fc.array(verdict, { minLength: 1, maxLength: 6 }),
        async (name, value, script) => {
          const { passes, answer, given } = await judgeScripted(name, value, script);
          const isAllowed = given.length > 0 && given.every(({ decision }) => decision === "allow");
          if (passes) expect(isAllowed).toBe(true);
          if (passes && given.some(({ args_constrained }) => args_constrained))
            expect(carriesRewrite(name, answer)).toBe(true);
        },
      ),
      { numRuns: runs(5_000, 50_000) },
    );
  });

  it("nothing passes while the gateway denies, and an answer is always one of the dialect's", async () => {
    await fc.assert(
      fc.asyncProperty(dialect, body, async (name, value) => {
        expect((await judgeJson(name, value, { decide: DENIED })).passes).toBe(false);
      }),
      { numRuns: runs(3_000, 30_000) },
    );
  });

  it("a gateway that fails in a way nobody thought of lets nothing pass", async () => {
    const decide = (): never => {
      throw new Error("defect");
    };
    for (const name of DIALECTS) {
      const { passes } = await judgeJson(
        name,
        name === "portkey" ? portkeyAfter(null) : litellmRequest(["x"]),
        { decide },
      );
      expect(passes).toBe(false);
    }
  });
});

describe("the paths of the dialects", () => {
  const exact = [
    "/guardrail",
    "/guardrail/portkey",
    "/beta/litellm_basic_guardrail_api",
    "/request",
    "/response",
  ];
  it.each(exact)("%s is one, and nothing below or beside it", (path) => {
    expect(dialectOf(path)).not.toBeNull();
    for (const other of [`${path}/`, `${path}/x`, `${path}x`, path.toUpperCase()])
      expect(dialectOf(other)).toBeNull();
  });
});
