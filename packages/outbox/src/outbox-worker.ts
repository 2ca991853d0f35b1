import { serveCalls } from "@svc/process/serve-calls";
import { OutboxService } from "./outbox-service.ts";

/** Entry of the thread that sends to webhooks and channels. */
serveCalls(new OutboxService(), { atOnce: true, last: "close" });
