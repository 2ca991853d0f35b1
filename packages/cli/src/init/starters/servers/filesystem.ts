import type { Starter } from "../starter.ts";

export const filesystem: Starter = {
  name: "filesystem",
  package: "@modelcontextprotocol/server-filesystem",
  registry: "npm",
  version: "2026.8.31",
  tools: {
    read_file: "reads",
    read_text_file: "reads",
    read_media_file: "reads",
    read_multiple_files: "reads",
    write_file: "destroys",
    edit_file: "destroys",
    create_directory: "changes",
    list_directory: "reads",
    list_directory_with_sizes: "reads",
    directory_tree: "reads",
    move_file: "destroys",
    search_files: "reads",
    get_file_info: "reads",
    list_allowed_directories: "reads",
  },
  covers: {
    write_file: ["args.path"],
    edit_file: ["args.path"],
  },
};
