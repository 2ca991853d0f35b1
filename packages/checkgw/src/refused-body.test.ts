import { refusedBody } from "@svc/http-edge/testing/refused-body";
import { expect, it } from "vitest";
import { startTestCheckgw } from "./testing/start-checkgw.ts";

// proves FAIR-16
it("a body that the budget of the process refuses is a deny, and no call is judged", async () => {
  const checkgw = await startTestCheckgw();
  const { statuses, text } = await refusedBody(Number(new URL(checkgw.url).port), "/verdict");
  expect(statuses).toEqual([200]);
  expect(text).toContain('"decision":"deny"');
  expect(text).toContain("too many bodies are being received at once");
  expect(checkgw.asked).toEqual([]);
  await checkgw.close();
});
