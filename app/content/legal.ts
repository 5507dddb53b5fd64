import type { Brand } from "./brand";
import { networkGearTerms, onboardingTerms } from "./plans-and-prices";

/** Describes one section of a legal text. A block is a paragraph, or a list when it is an array. */
type LegalSection = { id: string; title: string; blocks: readonly (string | readonly string[])[] };

export type LegalText = {
  title: string;
  /** Names the day it came into force, as `YYYY-MM-DD`; it names the version. */
  version: string;
  lead: string;
  sections: readonly LegalSection[];
};

/**
 * Names the version of the terms a visitor agrees to with the contact form; stored with each consent. A new text gets a
 * new date.
 */
export const TERMS_VERSION = "2026-11-23";
export const PRIVACY_VERSION = "2026-11-23";

type Provider = Pick<
  Brand,
  "name" | "legalName" | "email" | "phone" | "address" | "networkBrand" | "prices" | "countsViews" | "keepsRequests"
>;

const contactDetails = ({ email, phone }: Provider) => (phone ? `${email} or ${phone.display}` : email);
const postalAddress = ({ legalName, address }: Provider) => [legalName, ...address].join(", ");

const requestsKept = ({ keepsRequests }: Provider) =>
  keepsRequests === null
    ? "until we delete them"
    : `those that are done, or held back as possible spam, ${keepsRequests} days after anything has happened with them; others until they are done`;

/**
 * Returns the privacy notice: what happens to personal data. It says only what this product does, so each change of
 * what is stored, sent or deleted needs a change here.
 */
export const privacyText = (provider: Provider): LegalText => ({
  title: "Privacy",
  version: PRIVACY_VERSION,
  lead: `What ${provider.name} keeps about you, why, for how long, and how to have it changed or removed.`,
  sections: [
    {
      id: "who",
      title: "Who is responsible",
      blocks: [
        `${postalAddress(provider)}. For anything on this page, including a copy of your data or its removal, reach us at ${contactDetails(provider)}.`,
      ],
    },
    {
      id: "what",
      title: "What we keep",
      blocks: [
        "Only what you give us, and what is needed to keep the service safe:",
        [
          "When you send the contact form: your name and email address; phone, company, message and one file if you add them; the estimate you put together, if you came from the pricing page; the page or campaign that led you to the form; when you agreed to the terms and to which version.",
          "When you are a client and need help: your tickets, your messages and files, also what you have begun to write, our answers and whether you say that they solved it, and our letters to your organization.",
          "When a client has copies of a ticket sent to you: your address, and that you asked for no more, so that nobody adds it again.",
          "While we work on your request: its status, our replies and notes, and who did what and when.",
          "When you have an account: your name, email address and role; your password and backup codes as one-way hashes, never as text; the secret of your authenticator app, encrypted; your sign-ins with browser, time and shortened network address.",
          "Of sign-in attempts, and of requests and changes: the time, the network address and the result, so that guessing can be stopped and a misuse traced.",
        ],
        "Please don’t send patient, student or card data through the contact form.",
      ],
    },
    {
      id: "why",
      title: "What we use it for",
      blocks: [
        "To answer you, to prepare a proposal you asked for, to look after your systems under our agreement, and to protect accounts against misuse. We don’t sell it and we don’t use it for advertising. A form that looks like advertising is set aside until a person has read it; nothing else is decided by a program.",
      ],
    },
    {
      id: "cookies",
      title: "Cookies",
      blocks: [
        "This site sets no cookie while you read it. There are no advertising or tracking cookies, so there is no banner to click away. These are set when they are needed:",
        [
          "Choosing the light or the dark theme: one that keeps the choice for a year.",
          "Sending the contact form: one that shows you your receipt, for thirty minutes.",
          "Signing in: one for your session; one between the password and the code, for ten minutes; one that recognizes a browser you have used before, for 400 days.",
          "Creating an account: one that leads back to what you typed, until you confirm your address, for 24 hours at most.",
          "Opening a link from one of our emails: one that holds the link, for fifteen minutes, or for an hour if it is an invitation.",
          "New backup codes: one that brings them to the page that shows them, encrypted, for ten minutes.",
          "Sending a form after your session has ended: one that leads back to what you typed, for thirty minutes.",
          "Opening your own settings, if you work both in the admin area and in the portal: one that keeps which of them you came from, until the browser is closed.",
          "Saving or sending something: one that carries the message to the next page, for a minute; if it is a setting of this site, one that says which version you see, for ninety seconds.",
        ],
        provider.countsViews
          ? "We count how often each page is opened on a day, without a cookie and without anything about you, and keep these numbers for 400 days. No other company counts anything on this site."
          : "We don’t count visits, and no other company does on this site.",
      ],
    },
    {
      id: "others",
      title: "Who else handles it",
      blocks: [
        "The site, its database and its files are kept at Cloudflare, which also checks, where that is switched on, that the contact form is not sent by a robot. Our email is sent through the mail service connected to this site. They work on our instructions. Nobody else receives your data unless the law requires it.",
      ],
    },
    {
      id: "how-long",
      title: "How long we keep it",
      blocks: [
        [
          `Contact requests with their files and our notes: ${requestsKept(provider)}, or until you ask us to remove them. The request that you became our client with: as long as we look after your organization.`,
          "Tickets with their messages, files and copies, and letters: as long as we look after your organization.",
          "Accounts: until you ask us to remove yours; what you wrote on tickets then no longer has your name. An account whose address is not confirmed: a day.",
          "Sessions and unused links: 30 days after they have ended. Counts of sign-in attempts: 30 days after the last one.",
          "The record of sign-ins, requests and changes: 400 days.",
          "What we tell you inside the product: 90 days.",
          "Email we send: its text until it has left, the fact that it was sent for 14 days.",
          "Earlier states of the database, from which it can be restored: 30 days.",
        ],
      ],
    },
    {
      id: "rights",
      title: "What you can ask for",
      blocks: [
        "You can ask what we hold about you, get a copy, have it corrected, or have it removed. You can withdraw a consent, and you can object to a use. With an account, you find a copy and the way to close it under “Your data” in your profile. Clients’ data that we process for them is theirs: we pass your request on and help them answer it. If you are not satisfied, you can complain to the authority in charge of privacy where you live.",
      ],
    },
    {
      id: "safe",
      title: "How we protect it",
      blocks: [
        "Connections are encrypted. Our own people sign in with two steps and see what their role needs. Changes are recorded. If something happens that puts your data at risk, we tell you.",
      ],
    },
    {
      id: "changes",
      title: "Changes",
      blocks: [
        `When this page changes, its date changes with it. If the change matters to you as a client, we write to you first. Questions: ${contactDetails(provider)}.`,
      ],
    },
  ],
});

/** Returns the terms a visitor agrees to with the contact form. The work itself is governed by the signed agreement. */
export const termsText = (provider: Provider): LegalText => ({
  title: "Terms",
  version: TERMS_VERSION,
  lead: `The rules for using this site and for asking ${provider.name} for an assessment. The work itself has its own agreement.`,
  sections: [
    {
      id: "parties",
      title: "Who this is between",
      blocks: [
        `You, whoever visits this site or sends its form, and ${postalAddress(provider)}. If you write for an organization, you confirm that you may.`,
      ],
    },
    {
      id: "assessment",
      title: "The free assessment",
      blocks: [
        "Sending the contact form asks us to get in touch. It costs nothing and commits neither of us to anything. We reply within 1 business day, talk through what you have, and send a written proposal if we think we can help. By agreeing to these terms you allow us to use what you send for exactly that.",
      ],
    },
    {
      id: "prices",
      title: "Prices and estimates",
      blocks: [
        "Prices on this site are per month, in US dollars, before tax. The estimator adds them up so that you know what to expect; it is not an offer. What counts is the proposal you accept in writing.",
        `${provider.networkBrand ? `New ${networkGearTerms(provider.networkBrand)} ` : ""}${onboardingTerms(provider.prices)} Agreements typically run 12 months; you can upgrade at any time and downgrade at the end of a billing cycle.`,
      ],
    },
    {
      id: "accounts",
      title: "Accounts",
      blocks: [
        "Client accounts are for our clients’ people; one that belongs to no client yet opens nothing. Keep your password and codes to yourself, and tell us at once if you think someone else has them. We may close an account that is used to harm others or the service.",
      ],
    },
    {
      id: "use",
      title: "Fair use of this site",
      blocks: [
        "Please don’t try to break it, overload it, or get at other people’s data, and don’t send anything you have no right to send. If you find a weakness, tell us and give us time to mend it; we won’t hold an honest report against you.",
      ],
    },
    {
      id: "content",
      title: "Texts and files",
      blocks: [
        "What you send us stays yours; you allow us to read, store and copy it for the purpose you sent it for. The texts and pictures of this site are ours. You may link to it and quote from it.",
      ],
    },
    {
      id: "liability",
      title: "What we answer for",
      blocks: [
        "We write this site with care, but it is general information and not advice for your case. It is provided as it is. For damage that follows from using the site we are liable only where we acted on purpose or with gross negligence, or where the law allows no limit. For our work as your provider, the signed agreement applies instead.",
      ],
    },
    {
      id: "law",
      title: "Law, and changes to these terms",
      blocks: [
        "The law of the place of our office applies. If one rule here turns out not to be valid, the others stay. When these terms change, their date changes with them; what you agreed to is stored with your request under the date it had then.",
        `Questions: ${contactDetails(provider)}.`,
      ],
    },
  ],
});
