import type { Starter } from "../starter.ts";

export const memory: Starter = {
  name: "memory",
  package: "@modelcontextprotocol/server-memory",
  registry: "npm",
  version: "2026.8.31",
  tools: {
    create_entities: "changes",
    create_relations: "changes",
    add_observations: "changes",
    delete_entities: "destroys",
    delete_observations: "destroys",
    delete_relations: "destroys",
    read_graph: "reads",
    search_nodes: "reads",
    open_nodes: "reads",
  },
  covers: {},
};
