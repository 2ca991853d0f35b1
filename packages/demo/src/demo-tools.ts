import type { JsonObject, JsonValue } from "@svc/text/json-value";

interface DemoTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** Does nothing, and returns what it would have done. */
  readonly run: (args: JsonObject) => string;
}

/** The tools of the MCP server, by the names that the demonstration policy knows. */
export const DEMO_TOOLS: readonly DemoTool[] = [
  {
    name: "crm.read",
    description: "Reads a customer",
    inputSchema: schemaOf("customer", { type: "string" }),
    run: ({ customer }) => `customer ${shown(customer)}: no open orders`,
  },
  {
    name: "payments.refund",
    description: "Refunds an amount in USD",
    inputSchema: schemaOf("amount", { type: "number" }),
    run: ({ amount }) => `refunded ${shown(amount)} USD`,
  },
  {
    name: "db.drop_table",
    description: "Deletes a table with everything in it",
    inputSchema: schemaOf("table", { type: "string" }),
    run: ({ table }) => `dropped ${shown(table)}`,
  },
];

function shown(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

function schemaOf(name: string, type: JsonObject): JsonObject {
  return { type: "object", properties: { [name]: type }, required: [name] };
}
