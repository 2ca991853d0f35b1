import { randomBytes } from "node:crypto";
import { afterEach, expect, it, vi } from "vitest";
import { randomToken } from "./random-token.ts";

afterEach(() => void vi.restoreAllMocks());

it("writes random bytes as base64url does", () => {
  for (let length = 0; length < 50; length += 1) {
    const bytes = randomBytes(length);
    vi.spyOn(crypto, "getRandomValues").mockImplementation((array) => {
      (array as Uint8Array).set(bytes);
      return array;
    });
    expect(randomToken(length)).toBe(bytes.toString("base64url"));
  }
});

it("does not repeat", () => {
  expect(new Set(Array.from({ length: 1_000 }, () => randomToken(20))).size).toBe(1_000);
});
