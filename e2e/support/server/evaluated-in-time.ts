import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { expect } from "vitest";
import type { Answer } from "./api.ts";

/** The answer to a call. A busy machine may end an evaluation early, which denies: then it is sent again. */
export async function evaluatedInTime(ask: () => Promise<Answer>): Promise<Answer["body"]> {
  let body: Answer["body"] = {};
  const isLate = async (): Promise<boolean> => {
    ({ body } = await ask());
    return /rego_(?:timeout|suspended)/.test(String(body["reason"]));
  };
  await expect.poll(isLate, { timeout: CONDITION_MS, interval: 50 }).toBe(false);
  return body;
}
