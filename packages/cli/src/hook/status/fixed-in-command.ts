/** What an installed command fixes, so that the env of a project's settings cannot choose it otherwise. */
export const FIXED_IN_COMMAND = {
  agent: /\s--agent[\s=]/,
  url: /\s--url[\s=]/,
  apiKeyFile: /\s--api-key-file[\s=]/,
  namespace: /^(?:[A-Z_]+= )*SVC_NAMESPACE= |\s--namespace[\s=]/,
  nodeOptions: /^(?:[A-Z_]+= )*NODE_OPTIONS= /,
  compileCache: /^(?:[A-Z_]+= )*NODE_COMPILE_CACHE= /,
} as const satisfies Record<string, RegExp>;
