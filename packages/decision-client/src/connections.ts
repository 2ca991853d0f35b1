/** Number of connections of one client. More work in flight would only queue in the gateway. */
export const MAX_CONNECTIONS = 256;
