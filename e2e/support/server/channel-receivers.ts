import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { refusePagerdutyBody } from "@svc/channels/testing/refuse-pagerduty-body";
import { refuseSlackBody } from "@svc/channels/testing/refuse-slack-body";
import { parseJson } from "@svc/text/parse-json";
import { onTestFinished } from "vitest";

/** A chat and a pager that refuse what the real ones refuse. */
export interface ChannelReceivers {
  readonly url: string;
  /** What the chat has taken, by the titles of the messages. */
  readonly chat: string[];
  /** What the pager has taken. */
  readonly pages: Readonly<Record<string, unknown>>[];
  /** What either has refused, with the reason. */
  readonly refused: string[];
  /** Whether both answer 503 for now. */
  areDown: boolean;
}

export async function channelReceivers(): Promise<ChannelReceivers> {
  const state = {
    chat: [] as string[],
    pages: [] as Readonly<Record<string, unknown>>[],
    refused: [] as string[],
  };
  const receivers = { ...state, url: "", areDown: false };
  const answer = (path: string, body: string): readonly [status: number, text: string] => {
    if (receivers.areDown) return [503, "down"];
    if (path === "/v2/enqueue") {
      const errors = refusePagerdutyBody(body);
      if (errors === null) {
        receivers.pages.push(parseJson(body) as Readonly<Record<string, unknown>>);
        return [202, JSON.stringify({ status: "success" })];
      }
      receivers.refused.push(errors.join("; "));
      return [400, JSON.stringify({ status: "invalid event", errors })];
    }
    const refusal = refuseSlackBody(body);
    if (refusal === null) {
      receivers.chat.push((parseJson(body) as { readonly text: string }).text);
      return [200, "ok"];
    }
    receivers.refused.push(refusal);
    return [400, refusal];
  };
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const [status, text] = answer(request.url ?? "", body);
      response.writeHead(status, { "content-type": "text/plain" }).end(text);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  receivers.url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return receivers;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  return (await request.setEncoding("utf8").toArray()).join("");
}
