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
  { email: "reception@brightsmile.example", organization: "brightsmile-dental", by: "owner@brightsmile.example" },
];
