import { join } from "node:path";
import { CHECKOUT } from "./checkout.ts";

/** The route table that belongs to the shipped configuration of Envoy. */
export const SHIPPED_ROUTES = join(CHECKOUT, "envoy", "routes.yaml");
