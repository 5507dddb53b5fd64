/** Facts about the provider that pages print. These are the defaults; rebranding the product is editing this folder. */
export type Brand = {
  name: string;
  legalName: string;
  tagline: string;
  /** E-mail addresses under this domain belong to the provider's own people. */
  domain: string;
  email: string;
  supportEmail: string;
  phone: { display: string; href: string };
  /** Lines of the postal address. */
  address: readonly string[];
  hours: string;
  /** IANA name; "today" and "this week" begin at midnight of this zone. */
  timeZone: string;
  founder: string;
  /** The maker whose network gear new clients move to. */
  networkBrand: string;
  /** The name an authenticator app shows above a code. */
  totpIssuer: string;
};

export const brand: Brand = {
  name: "Wrenfield",
  legalName: "Wrenfield",
  tagline: "Fixed, then checked.",
  domain: "wrenfield.example",
  email: "hello@wrenfield.example",
  supportEmail: "support@wrenfield.example",
  phone: { display: "(555) 555-0142", href: "tel:+15555550142" },
  address: ["100 Example Street, Suite 200", "Springfield, ST 00000"],
  hours: "Monday-Friday 8am-6pm",
  timeZone: "America/Chicago",
  founder: "Robin Ashdown",
  networkBrand: "our chosen network brand",
  totpIssuer: "Wrenfield",
};
