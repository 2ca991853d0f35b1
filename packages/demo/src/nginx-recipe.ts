import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findProgram } from "@svc/process/find-program";
import { CHECKOUT } from "./checkout.ts";
import type { ProxyRecipe } from "./proxy-recipe.ts";
import { withAddresses } from "./with-addresses.ts";

const SHIPPED = join(CHECKOUT, "forward-auth", "nginx", "nginx.conf");

/** The module that the shipped configuration loads, and the package of Debian that has it. */
const MODULE = "/usr/lib/nginx/modules/ngx_http_headers_more_filter_module.so";
const MODULE_PACKAGE = "libnginx-mod-http-headers-more-filter";

/** As root, nginx hands its workers to another user, who may not enter a folder of this user. */
const DIRECTIVES = process.getuid?.() === 0 ? "daemon off; user root;" : "daemon off;";

export function nginxRecipe(path: string): ProxyRecipe {
  const program = findProgram("nginx", path);
  return {
    name: "nginx",
    variable: "SVC_DEMO_NGINX_PORT",
    missing: () => {
      if (program === null) return "nginx, on the PATH";
      return existsSync(MODULE) ? null : `the module in Debian's ${MODULE_PACKAGE}`;
    },
    prepare: async ({ port, checkgwPort, backendPort, folder }) => {
      const text = withAddresses(SHIPPED, await readFile(SHIPPED, "utf8"), [
        [/(?<=listen 127\.0\.0\.1:)8088\b/, String(port)],
        [/(?<=server 127\.0\.0\.1:)9004\b/, String(checkgwPort)],
        [/(?<=server 127\.0\.0\.1:)3000\b/, String(backendPort)],
      ]);
      const file = join(folder, "nginx.conf");
      await writeFile(file, text);
      return [program ?? "nginx", { args: ["-p", folder, "-c", file, "-g", DIRECTIVES], cwd: folder }];
    },
  };
}
