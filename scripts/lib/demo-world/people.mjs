/**
 * Lists the people of the demo world. `totp` is their authenticator secret; without one two-factor is not set up.
 * `quietHours` are those in which they want no mail.
 */
export const PASSWORD = "Demo!Pass2026";

export const accounts = [
  { email: "admin@wrenfield.example", name: "Avery Quinn", role: "admin", totp: "KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU" },
  {
    email: "second.admin@wrenfield.example",
    name: "Morgan Hale",
    role: "admin",
    totp: "MFRGGZDFMZTWQ2LKMFRGGZDFMZTWQ2LK",
  },
  { email: "new.admin@wrenfield.example", name: "Rowan Pike", role: "admin" },
  { email: "tech@wrenfield.example", name: "Jordan Vale", role: "moderator", totp: "NB2W45DFOIZA2IDGN52W4ZDJNZTSA2LO" },
  { email: "owner@brightsmile.example", name: "Dana Whitlock", role: "user" },
  { email: "lead@brightsmile.example", name: "Sam Ortega", role: "user", totp: "ORSXG5BAORXXI4BAONSWG4TFOQQGQZLS" },
  { email: "member@brightsmile.example", name: "Priya Nair", role: "user", quietHours: ["19:00", "07:00"] },
  { email: "suspended@brightsmile.example", name: "Lee Marsh", role: "user" },
  { email: "owner@harborhouse.example", name: "Chris Adeyemi", role: "user" },
  { email: "owner@littleoaks.example", name: "Noor Haddad", role: "user" },
  { email: "solo@nowhere.example", name: "Kim Tran", role: "user" },
  { email: "unverified@nowhere.example", name: "Alex Roe", role: "user", status: "unverified" },
  { email: "owner@nowinski.example", name: "Ola Nowińska", role: "user" },
];

/** Lists those who were invited and have not answered: to an account of the staff, and to an organization. */
export const invited = [
  { email: "new.tech@wrenfield.example", name: "Casey Moor", role: "moderator", by: "admin@wrenfield.example" },
  {
    email: "reception@brightsmile.example",
    organization: "brightsmile-dental",
    role: "member",
    by: "owner@brightsmile.example",
  },
];

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
