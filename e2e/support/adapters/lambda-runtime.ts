/**
 * Runs the handler of one file as AWS Lambda does: `node lambda-runtime.ts <file> <milliseconds>`. Events
 * come and results go over the channel of the parent process, as JSON.
 */
import { pathToFileURL } from "node:url";

type Handler = (event: unknown, context: { getRemainingTimeInMillis(): number }) => Promise<unknown>;

const [, , file = "", timeoutMs = "0"] = process.argv;
const { handler } = (await import(pathToFileURL(file).href)) as { handler: Handler };

process.on("message", (message) => {
  const { number, event } = message as { number: number; event: unknown };
  const endsAt = performance.now() + Number(timeoutMs);
  handler(event, { getRemainingTimeInMillis: () => endsAt - performance.now() }).then(
    (output) => process.send?.({ number, output }),
    (error: unknown) => process.send?.({ number, error: String(error) }),
  );
});
