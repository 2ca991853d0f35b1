import { MessagePort } from "node:worker_threads";
import { ServiceThread, type ThreadOverrides } from "@svc/process/service-thread";
import { threadUrl } from "@svc/process/thread-url";
import type { OutboxService } from "./outbox-service.ts";

/** Milliseconds without an answer after which the thread is stuck and another one sends. */
const STALL_LIMIT_MS = 30_000;

/** The thread of the senders, as seen from the serving thread. It ends after a while without receivers. */
export class OutboxThread extends ServiceThread<OutboxService> {
  constructor(overrides: ThreadOverrides) {
    super({
      name: "svc-outbox",
      label: "the thread that sends to webhooks and channels",
      closing: "the server is closing",
      url: threadUrl("outbox-worker", import.meta.url),
      stallLimitMs: STALL_LIMIT_MS,
      transfer: ({ args }) => args.filter((value) => value instanceof MessagePort),
      ...overrides,
    });
  }
}
