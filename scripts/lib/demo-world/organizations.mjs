/** Lists the clients of the demo world and their members: `[email, role, status]`. */
export const organizations = [
  {
    name: "Brightsmile Dental",
    slug: "brightsmile-dental",
    plan: "core",
    description: "Family dentistry with two chairs in the old town and a laboratory next door.",
    members: [
      ["owner@brightsmile.example", "owner", "active"],
      ["lead@brightsmile.example", "admin", "active"],
      ["member@brightsmile.example", "member", "active"],
      ["suspended@brightsmile.example", "member", "suspended"],
    ],
  },
  {
    name: "Harbor House Counseling",
    slug: "harbor-house-counseling",
    plan: "basic",
    description: "Counseling for individuals, couples and families; six therapists, one front desk.",
    members: [["owner@harborhouse.example", "owner", "active"]],
  },
  {
    name: "Little Oaks Learning",
    slug: "little-oaks-learning",
    plan: "premium",
    description: "Preschool and after-school care in three buildings, with tablets in every room.",
    members: [
      ["owner@littleoaks.example", "owner", "active"],
      ["owner@harborhouse.example", "member", "active"],
    ],
  },
];
