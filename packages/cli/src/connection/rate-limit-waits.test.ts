import { describe, expect, it } from "vitest";
import { RateLimitWaits } from "./control-client.ts";

type Answer = readonly [status: number, retryAfter: string | null];

const FINE: Answer = [200, null];
const limited = (seconds: string | null): Answer => [429, seconds];

function responseOf([status, seconds]: Answer): Response {
  return new Response("{}", { status, headers: seconds === null ? {} : { "retry-after": seconds } });
}

/** The statuses that come, and how often something was sent. */
async function sentTo(...answers: readonly Answer[]): Promise<readonly [status: number, sends: number]> {
  let sends = 0;
  const { response } = await new RateLimitWaits().sent(async () => {
    const answer = responseOf(answers[Math.min(sends, answers.length - 1)] ?? FINE);
    sends += 1;
    return { response: answer };
  });
  return [response.status, sends];
}

describe("RateLimitWaits", () => {
  // proves CLI-28
  it("waits as long as the server asks for, and sends again", async () => {
    expect(await sentTo(limited("0"), limited("0"), FINE)).toEqual([200, 3]);
    const startedMs = performance.now();
    expect(await sentTo(limited("1"), FINE)).toEqual([200, 2]);
    expect(performance.now() - startedMs).toBeGreaterThan(950);
  });

  // proves CLI-28
  it.each<[string, Answer]>([
    ["names no time", limited(null)],
    ["asks for an hour", limited("3600")],
    ["names a date", limited("Wed, 21 Oct 2026 07:28:00 GMT")],
    ["is of another kind", [503, "0"]],
  ])("does not wait for an answer that %s", async (_name, answer) => {
    expect(await sentTo(answer, FINE)).toEqual([answer[0], 1]);
  });

  // proves CLI-28
  it("gives up after some waits", async () => {
    expect(await sentTo(limited("0"))).toEqual([429, 7]);
  });
});
