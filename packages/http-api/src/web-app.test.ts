import { createEdgeServer } from "@svc/http-edge/edge-server";
import { listen } from "@svc/http-edge/listen";
import { rawExchange } from "@svc/http-edge/testing/raw-exchange";
import { expect, it, onTestFinished } from "vitest";
import { askApp } from "./testing/ask-app.ts";
import { answerWith, judgePages, servePages, serveWeb, webApp } from "./web-app.ts";

const PAGES = servePages(judgePages(null), {
  "/page": (c) => answerWith(c, { status: 200, text: "read", headers: {} }),
});

/** What a server answers whose app is this one, and the lines of its log. */
async function served(app: typeof PAGES, request: string) {
  const lines: unknown[] = [];
  const log = { error: (line: unknown) => void lines.push(line) };
  const onError = (error: unknown) => expect.unreachable(String(error));
  const server = createEdgeServer({ handle: serveWeb(app, log), onError });
  const listening = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => listening.close(0));
  const { text: answer } = await rawExchange(listening.port, request);
  return { answer, lines };
}

it.each([
  ["svc.example:99999", 400],
  ["127.1:80", 400],
  ["svc.example:8080", 200],
  ["LOCALHOST", 200],
])("a Host that no URL can have is refused: %s", async (host, status) => {
  const request = `GET /page HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  const { answer, lines } = await served(PAGES, request);
  expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${String(status)}`);
  if (status === 400) expect(answer).toContain('"code":"invalid_target"');
  expect(lines).toEqual([]);
});

it("a fault of a handler is a 500 with the id of its line in the log, and says no more", async () => {
  const app = webApp().get("/page", () => {
    throw new Error("a secret of the server");
  });
  const { answer, lines } = await served(app, "GET /page HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  expect(answer.slice(0, 12)).toBe("HTTP/1.1 500");
  expect(answer).not.toContain("secret");
  const [line] = lines as readonly { readonly request_id: string }[];
  expect(answer).toContain(`"request_id":"${String(line?.request_id)}"`);
});

it.each([
  ["GET", "/page", 200],
  ["HEAD", "/page", 200],
  ["POST", "/page", 405],
  ["GET", "/page?x", 400],
  ["GET", "/%70age", 404],
  ["GET", "/page/", 404],
])("a page is served by its exact path: %s %s", async (method, path, status) => {
  expect((await askApp(PAGES, method, path)).status).toBe(status);
});
