import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newWebhookSecret, signWebhook } from "@svc/contract/sign-webhook";
import { sampleWebhookEvent, WEBHOOK_TYPES } from "@svc/contract/webhook-event";
import { renderWebhookBody } from "@svc/contract/webhook-events-of-row";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PAGE = readFileSync(join(ROOT, "docs", "EVENTS.md"), "utf8");

export interface SignedSample {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A delivery of each kind, signed now with both secrets of an endpoint, and one whose body was changed. */
export async function signedSamples(
  secrets: readonly [string, ...string[]],
  nowS = Date.now() / 1_000,
): Promise<readonly SignedSample[]> {
  const about = { timestamp: new Date().toISOString(), org_id: "acme" };
  const signed = WEBHOOK_TYPES.map(async (type): Promise<SignedSample> => {
    const event = sampleWebhookEvent(type, { ...about, id: `evt_${type}` });
    const body = renderWebhookBody(event);
    return { body, headers: await signWebhook({ event, body, deliveryId: "dlv_1", secrets, nowS }) };
  });
  const [first = { body: "", headers: {} }] = await Promise.all(signed);
  return [...(await Promise.all(signed)), { ...first, body: first.body.replace("acme", "evil") }];
}

/** What a program has to print: each kind as the library read it, and a refusal. */
export const WANTED = [...WEBHOOK_TYPES, "refused"].map((line) => `${line}\n`).join("");

/** The blocks of the page in one language. */
export function blocksOf(language: string): readonly string[] {
  return [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(
    ([, code = ""]) => code,
  );
}

/** A folder with samples that the second of two secrets is to verify, as while a secret rotates. */
export async function folderWithSamples() {
  const [first, secret] = [newWebhookSecret(), newWebhookSecret()];
  const samples = await signedSamples([first, secret]);
  const folder = await temporaryDirectory();
  writeFileSync(join(folder, "deliveries.json"), JSON.stringify({ first, secret, deliveries: samples }));
  return { folder, secret, samples };
}
