import { afterEach, describe, expect, it, vi } from "vitest";
import { withinDeadline } from "./within-deadline.ts";

class Port {
  readonly #answer = "answer";

  async ask(question: string): Promise<string> {
    return `${question}: ${this.#answer}`;
  }

  async hang(): Promise<never> {
    return Promise.withResolvers<never>().promise;
  }

  async fail(): Promise<never> {
    throw new Error("store down");
  }
}

describe("withinDeadline", () => {
  afterEach(() => vi.useRealTimers());

  it("passes calls, answers and failures on", async () => {
    const port = withinDeadline(new Port());
    expect(await port.ask("q")).toBe("q: answer");
    await expect(port.fail()).rejects.toThrow("store down");
  });

  it("L5: rejects when no answer comes in time", async () => {
    vi.useFakeTimers();
    const answer = withinDeadline(new Port()).hang();
    await Promise.all([
      expect(answer).rejects.toThrow("did not answer within 3000 ms"),
      vi.advanceTimersByTimeAsync(3_000),
    ]);
  });
});
