import type { InterceptorHandler } from "./interceptor.ts";
import { startInterceptor } from "./start-interceptor.ts";

/**
 * What AWS Lambda calls: `handler.handler`.
 * @public
 */
export const handler: InterceptorHandler = startInterceptor(process.env, (line) => {
  process.stdout.write(line);
});
