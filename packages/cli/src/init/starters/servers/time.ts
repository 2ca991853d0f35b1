import type { Starter } from "../starter.ts";

export const time: Starter = {
  name: "time",
  package: "mcp-server-time",
  registry: "PyPI",
  version: "2026.10.19",
  tools: {
    get_current_time: "reads",
    convert_time: "reads",
  },
  covers: {},
};
