/** Version of the product, as in the changelog. */
export const VERSION = "0.1.0";
