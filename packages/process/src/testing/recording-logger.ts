import type { Logger } from "../logger.ts";

/** Keeps what was logged. */
export function recordingLogger(): Logger & { readonly messages: string[] } {
  const messages: string[] = [];
  const record = (_fields: unknown, message: string): void => {
    messages.push(message);
  };
  return { messages, error: record, warn: record, info: record, debug: record };
}
