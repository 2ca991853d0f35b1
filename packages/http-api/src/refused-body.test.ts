import { createEdgeServer } from "@svc/http-edge/edge-server";
import { listen } from "@svc/http-edge/listen";
import { sendProblem } from "@svc/http-edge/send-json";
import { refusedBody } from "@svc/http-edge/testing/refused-body";
import { expect, it } from "vitest";
import { readJsonInput } from "./request-input.ts";

// proves FAIR-16
it("a body that the budget of the process refuses gets 503 overloaded", async () => {
  const server = createEdgeServer({
    handle: async (request, response) => {
      const input = await readJsonInput(request, () => expect.unreachable(), 10_000);
      if (input.kind === "problem") sendProblem(response, input.problem);
    },
    onError: (error) => expect.unreachable(String(error)),
  });
  const listening = await listen(server, { host: "127.0.0.1", port: 0 });
  const { statuses, text } = await refusedBody(listening.port, "/api/v1/gateway/outcome");
  expect(statuses).toEqual([503]);
  expect(text).toContain('"code":"overloaded"');
  await listening.close(0);
});
