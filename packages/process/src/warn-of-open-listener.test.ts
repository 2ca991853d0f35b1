import { expect, it } from "vitest";
import { recordingLogger } from "./testing/recording-logger.ts";
import { warnOfOpenListener } from "./warn-of-open-listener.ts";

// proves OPS-72
it.each([
  ["0.0.0.0", 1],
  ["::", 1],
  ["10.1.2.3", 1],
  ["127.example.com", 1],
  ["127.0.0.1", 0],
  ["::1", 0],
  ["localhost", 0],
])("a listener on %s warns %i times, with the risk and the fix", (host, count) => {
  const log = recordingLogger();
  warnOfOpenListener(
    { variable: "SVC_X_LISTEN", host, risk: "anybody may call", fix: "Put TLS in front" },
    log,
  );
  expect(log.messages).toEqual(
    Array.from(
      { length: count },
      () => "other machines reach this listener: anybody may call. Put TLS in front, or listen on 127.0.0.1",
    ),
  );
  expect(log.fields).toEqual(Array.from({ length: count }, () => ({ variable: "SVC_X_LISTEN", host })));
});
