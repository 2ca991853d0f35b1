/** A `svc.yaml` with the server of this machine. */
export const SETTINGS_TEXT = `# The servers of this folder, for svc-cli --env. Made by svc-cli init.
# Keys never stand here. A context names the file of a key:
# svc-cli context add prod --url https://svc.example --api-key-file prod.key
environments:
  local: { url: "http://localhost:8080" }
  # prod: { context: prod }
`;
