/**
 * Holds what the owner of the demo company has written about it. A new installation has none of it: a story, a founder
 * and a network brand are nobody's until somebody names theirs.
 */
const SETTINGS = {
  companyDomain: "wrenfield.example",
  brand: {
    founder: "Robin Ashdown",
    networkBrand: "Alderlink",
    story: [
      "I used to be the person at a small clinic who “knew computers”. It wasn’t my job, so it happened at lunch, badly, and nothing was written down. When I left, everything I’d fixed left with me.",
      "This is the company I wanted to call back then: people whose job it is, who answer, who check that the fix held, and who leave a record you own.",
    ].join("\n\n"),
  },
};

/** Stores the settings of the demo company. The schedule publishes them to its pages. */
export function addSettings(world) {
  for (const [key, value] of Object.entries(SETTINGS)) {
    world.insert("settings", { key, value_json: JSON.stringify(value), version: 1, updated_at: world.now });
  }
}
