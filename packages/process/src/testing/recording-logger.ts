import type { Logger } from "../logger.ts";

export interface RecordingLogger extends Logger {
  readonly messages: string[];
  /** The fields of each message. */
  readonly fields: object[];
  /** The fields of each message that only the log level `debug` shows. */
  readonly debugFields: object[];
}

/** Keeps what was logged. `messages` and `fields` have what a program logs by default. */
export function recordingLogger(): RecordingLogger {
  const messages: string[] = [];
  const fields: object[] = [];
  const debugFields: object[] = [];
  const record = (named: object, message: string): void => {
    fields.push(named);
    messages.push(message);
  };
  const debug = (named: object): void => {
    debugFields.push(named);
  };
  return { messages, fields, debugFields, error: record, warn: record, info: record, debug };
}
