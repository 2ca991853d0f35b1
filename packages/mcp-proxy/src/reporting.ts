import type { McpProxySettings } from "./mcp-proxy-settings.ts";
import type { McpProxyReporter } from "./reporter.ts";

/** What every part needs to do its work as configured and to say what it did. */
export interface Reporting {
  readonly settings: McpProxySettings;
  readonly reporter: McpProxyReporter;
}
