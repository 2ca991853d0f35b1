import type { Principal } from "@svc/contract/principal";
import { expect, it } from "vitest";
import { questionsOfKey } from "./questions-of-key.ts";

const of = (org: string, id: string) => ({ principal: { org, id } as Principal });

it("refuses a question of a key that has enough under way, and of no other key, until one ends", async () => {
  const inTurn = questionsOfKey(2, "lists of agents");
  const first = Promise.withResolvers<string>();
  const failing = Promise.withResolvers<string>();
  const asked = [inTurn(of("a", "k"), () => first.promise), inTurn(of("a", "k"), () => failing.promise)];
  expect(await inTurn(of("a", "k"), () => expect.unreachable())).toMatchObject({
    problem: {
      code: "too_many_requests",
      detail: "this key has 2 lists of agents under way; wait for an answer",
    },
    headers: { "retry-after": "1" },
  });
  for (const [org, id] of [
    ["a", "other"],
    ["b", "k"],
  ] as const)
    expect(await inTurn(of(org, id), () => Promise.resolve("answer"))).toBe("answer");
  failing.reject(new Error("no"));
  await expect(asked[1]).rejects.toThrow("no");
  expect(await inTurn(of("a", "k"), () => Promise.resolve("again"))).toBe("again");
  first.resolve("first");
  expect(await asked[0]).toBe("first");
});
