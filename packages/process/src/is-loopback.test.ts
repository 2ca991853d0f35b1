import { expect, it } from "vitest";
import { isLoopback } from "./is-loopback.ts";

it.each(["localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"])("only this machine reaches %s", (host) => {
  expect(isLoopback(host)).toBe(true);
});

it.each(["0.0.0.0", "::", "10.0.0.1", "127.0.0.1.example", "localhost.example", "1127.0.0.1", ""])(
  "others reach %s",
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);
