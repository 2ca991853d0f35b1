import type { JsonObject } from "@svc/contract/json-value";

interface DemoTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** Pretends, and says what it did. */
  run(args: JsonObject): string;
}

/** The tools of the MCP server, by the names that the demonstration policy knows. */
export const DEMO_TOOLS: readonly DemoTool[] = [
  {
    name: "crm.read",
    description: "Reads a customer",
    inputSchema: schemaOf("customer", { type: "string" }),
    run: ({ customer }) => `customer ${String(customer)}: no open orders`,
  },
  {
    name: "payments.refund",
    description: "Refunds an amount in USD",
    inputSchema: schemaOf("amount", { type: "number" }),
    run: ({ amount }) => `refunded ${String(amount)} USD`,
  },
  {
    name: "db.drop_table",
    description: "Deletes a table with everything in it",
    inputSchema: schemaOf("table", { type: "string" }),
    run: ({ table }) => `dropped ${String(table)}`,
  },
];

function schemaOf(name: string, type: JsonObject): JsonObject {
  return { type: "object", properties: { [name]: type }, required: [name] };
}
