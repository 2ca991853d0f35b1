import { expect, it } from "vitest";
import { FreshAnswer } from "./fresh-answer.ts";

it("asks again when there is news, when none is known of, and after a fault", async () => {
  let asked = 0;
  let news: number | null = 0;
  let fault: Error | null = null;
  const answer = new FreshAnswer(
    async () => {
      if (fault !== null) throw fault;
      asked += 1;
      return asked;
    },
    () => news,
  );
  expect([await answer.get(), await answer.get()]).toEqual([1, 1]);
  news = 1;
  fault = new Error("no store");
  await expect(answer.get()).rejects.toThrow("no store");
  fault = null;
  expect([await answer.get(), await answer.get()]).toEqual([2, 2]);
  news = null;
  expect([await answer.get(), await answer.get()]).toEqual([3, 4]);
});

it("asks again for what came while it was asked", async () => {
  let news = 0;
  const answer = new FreshAnswer(
    async () => (news += 1),
    () => news,
  );
  expect([await answer.get(), await answer.get()]).toEqual([1, 2]);
});
