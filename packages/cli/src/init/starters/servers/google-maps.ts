import type { Starter } from "../starter.ts";

export const googleMaps: Starter = {
  name: "google-maps",
  package: "@modelcontextprotocol/server-google-maps",
  registry: "npm",
  version: "0.6.2",
  isArchived: true,
  tools: {
    maps_geocode: "reads",
    maps_reverse_geocode: "reads",
    maps_search_places: "reads",
    maps_place_details: "reads",
    maps_distance_matrix: "reads",
    maps_elevation: "reads",
    maps_directions: "reads",
  },
  covers: {},
};
