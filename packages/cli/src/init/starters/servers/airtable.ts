import type { Starter } from "../starter.ts";

export const airtable: Starter = {
  name: "airtable",
  package: "airtable-mcp-server",
  registry: "npm",
  version: "1.14.0",
  tools: {
    list_records: "reads",
    search_records: "reads",
    list_bases: "reads",
    list_tables: "reads",
    describe_table: "reads",
    get_record: "reads",
    create_record: "changes",
    update_records: "destroys",
    delete_records: "destroys",
    create_table: "changes",
    update_table: "destroys",
    create_field: "changes",
    update_field: "destroys",
    create_comment: "changes",
    list_comments: "reads",
    upload_attachment: "changes",
  },
  covers: {
    create_record: ["args.baseId", "args.tableId"],
    create_comment: ["args.baseId", "args.tableId", "args.recordId"],
  },
};
