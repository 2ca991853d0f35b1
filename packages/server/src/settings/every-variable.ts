import { checkgwEnvironment } from "@svc/checkgw/checkgw-environment";
import { adapterEnvironment } from "@svc/decision-client/adapter-environment";
import { demoEnvironment } from "@svc/demo/demo-environment";
import { extprocEnvironment } from "@svc/extproc/extproc-environment";
import { mcpProxyEnvironment } from "@svc/mcp-proxy/mcp-proxy-environment";
import { SERVER_ENVIRONMENT } from "./server-environment.ts";

/** What `npm start` reads: the variables of every program that it runs. */
export const EVERY_VARIABLE = {
  ...SERVER_ENVIRONMENT,
  ...adapterEnvironment,
  ...checkgwEnvironment,
  ...extprocEnvironment,
  ...mcpProxyEnvironment,
  ...demoEnvironment,
};
