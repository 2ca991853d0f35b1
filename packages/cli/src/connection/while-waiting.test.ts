import { expect, it } from "vitest";
import { whileWaiting } from "./say-what-is-known.ts";

// proves CLI-41
it("says what it waits for before the answer comes, and nothing after it", async () => {
  const said: string[] = [];
  const asked = Promise.withResolvers<string>();
  const progress = (line: string): void => {
    said.push(line);
    asked.resolve("done");
  };
  const connection = { url: new URL("http://127.0.0.1:9/x"), source: "--url" };
  const waiting = whileWaiting(asked.promise, connection, {
    output: { progress },
    soFar: "nothing is known",
  });
  expect(await waiting).toBe("done");
  expect(said).toEqual([
    "waiting for the control plane at http://127.0.0.1:9 (--url), 1 s: nothing is known",
  ]);
});
