import type { TemplateContext } from "~/features/mail/mail-kind";

/** Holds what the templates of mails are given besides the data of the mail. */
export const MAIL_CONTEXT: TemplateContext = {
  site: {
    color: "",
    logo: null,
    name: "Wrenfield",
    email: "hello@wrenfield.example",
    phone: { display: "(555) 555-0142", href: "tel:+15555550142" },
    hours: "Monday-Friday 8am-6pm",
    origin: "https://wrenfield.example",
  },
  about: () => ({
    noun: "submission",
    number: "L-1007",
    staffUrl: "https://wrenfield.example/admin/submissions/sub_01",
  }),
};
