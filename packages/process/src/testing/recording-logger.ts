import type { Logger } from "../logger.ts";

export interface RecordingLogger extends Logger {
  readonly messages: string[];
  /** The fields of each message. */
  readonly fields: object[];
}

/** Keeps what was logged. */
export function recordingLogger(): RecordingLogger {
  const messages: string[] = [];
  const fields: object[] = [];
  const record = (named: object, message: string): void => {
    fields.push(named);
    messages.push(message);
  };
  return { messages, fields, error: record, warn: record, info: record, debug: record };
}
