/** A `svc.yaml` with the server of this machine: an address alone would leave out the key of its context. */
export const SETTINGS_TEXT = `# The servers of this folder, for svc-cli --env. Made by svc-cli init.
# Keys never stand here. A context names the file of a key:
# svc-cli context add prod --url https://svc.example --api-key-file prod.key
environments:
  local: { context: dev } # while svc-cli dev runs here
  # prod: { context: prod }
`;
