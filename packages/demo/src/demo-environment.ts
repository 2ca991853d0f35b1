import type { EnvironmentTable } from "@svc/process/environment-table";
import { parseInteger, parseText } from "@svc/process/parsers";

const MAX_PORT = 65_535;

/** The variables of the demonstration itself. It also reads those of every program that it starts. */
export const demoEnvironment = {
  SVC_ENVOY: {
    parse: (text: string): string | null => parseText(text),
    fallback: null,
    defaultText: "none",
    meaning: "Envoy's program; without it the PATH and .tools are searched",
  },
  SVC_DEMO_ENVOY_PORT: {
    parse: parseInteger(0, MAX_PORT),
    fallback: 8087,
    defaultText: "8087",
    meaning: "port on 127.0.0.1 of the demonstration's Envoy; 0 picks a free one and prints it",
  },
  SVC_DEMO_NGINX_PORT: {
    parse: parseInteger(0, MAX_PORT),
    fallback: 8088,
    defaultText: "8088",
    meaning: "port on 127.0.0.1 of the demonstration's nginx; 0 picks a free one and prints it",
  },
} satisfies EnvironmentTable;
