/** As root, nginx hands its workers to another user, who may not enter a folder of ours. */
export const NGINX_DIRECTIVES = process.getuid?.() === 0 ? "daemon off; user root;" : "daemon off;";
