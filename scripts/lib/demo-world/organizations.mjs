/**
 * Lists the clients of the demo world and their members: `[email, role, status]`. `notes` are what staff noted about
 * them, `invitedOwner` is the address of an owner who has not accepted yet, one is still to be reviewed, and
 * one lets addresses without an account have copies of its tickets. `contacts`: people without an account.
 */
export const organizations = [
  {
    name: "Brightsmile Dental",
    slug: "brightsmile-dental",
    domains: ["brightsmile.example"],
    plan: "core",
    description: "Family dentistry with two chairs in the old town and a laboratory next door.",
    notes: [
      "The practice closes on Friday afternoons: changes to the server only then.",
      "Dana decides, Sam carries it out. Both prefer e-mail.",
    ],
    contacts: [{ name: "Rosa Vidal", email: "rosa.vidal@brightsmile.example", phone: "+1 555 0147" }],
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
    domains: ["harborhouse.example"],
    plan: "basic",
    description: "Counseling for individuals, couples and families; six therapists, one front desk.",
    members: [["owner@harborhouse.example", "owner", "active"]],
  },
  {
    name: "Little Oaks Learning",
    slug: "little-oaks-learning",
    domains: ["littleoaks.example"],
    plan: "premium",
    description: "Preschool and after-school care in three buildings, with tablets in every room.",
    allowsCopies: true,
    members: [
      ["owner@littleoaks.example", "owner", "active"],
      ["owner@harborhouse.example", "member", "active"],
    ],
  },
  {
    name: "Marsh Family Law",
    slug: "marsh-family-law",
    domains: [],
    plan: "none",
    description: "Owner has not accepted the invitation yet.",
    invitedOwner: "lee@marshlaw.example",
    members: [],
  },
  {
    name: "Nowiński Studio",
    slug: "nowinski-studio",
    domains: [],
    plan: "none",
    description: "",
    isToReview: true,
    members: [["owner@nowinski.example", "owner", "active"]],
  },
];
