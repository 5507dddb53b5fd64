import { brand as defaultBrand } from "~/content/brand";
import { NEW_ORGANIZATION_PATH } from "~/features/organization-management/paths";
import { ORGANIZATIONS_PATH } from "~/features/organizations/model";
import { type BrandSettings, brandSettings } from "~/features/settings/brand-settings";
import { MAIL_SETUP_PATH } from "~/features/settings/paths";
import type { ShortSettings } from "~/features/settings/settings.server";
import { groupPath } from "~/features/settings-management/model";
import { STAFF_TICKETS_PATH, staffTicketPath } from "~/features/tickets/paths";
import { NEW_USER_PATH, USERS_PATH } from "~/features/users/model";
import { STAFF_NEW_TICKET_PATH } from "~/lib/addresses";
import { weekInWords } from "~/lib/calendar";
import { domainOf } from "~/lib/email";
import { formatPrice } from "~/lib/numbers";
import { plural } from "~/lib/text";
import { dayIn, type Instant, zoneName } from "~/lib/time";

/** What the database says of the first hour besides the settings. */
export type FirstHourFacts = {
  hasHours: boolean;
  hasPrices: boolean;
  /** When a test mail from the domain of our mails has arrived. */
  mailProvenAt: Instant | null;
  /** Says who has reviewed the legal texts; null: a person who has left. */
  reviewedBy: string | null;
  /** When the legal texts were changed last. */
  legalChangedAt: Instant | null;
  /** Colleagues are staff besides the first administrator. */
  colleague: string | null;
  invitedColleague: string | null;
  /** An organization with somebody of its own who can sign in. */
  client: string | null;
  organization: string | null;
  isTicketAnswered: boolean;
  waitingTicket: { number: string; title: string } | null;
};

type StepId = "company" | "hours" | "prices" | "look" | "legal" | "mail" | "colleague" | "client" | "ticket" | "site";

export type FirstHourStep = {
  id: StepId;
  title: string;
  state: "done" | "begun" | "open";
  /** Says what it is once it is done, or what lacks. `missing` comes first. */
  text: string;
  missing: string | null;
  to: string;
  label: string;
  minutes: number;
};

type Judged = Pick<FirstHourStep, "text" | "missing" | "label"> & { to?: string; isBegun?: boolean };

/** Names that nobody can own: RFC 2606 and RFC 6761. */
const RESERVED = /(^|\.)(example|test|invalid|localhost)$|(^|\.)example\.(com|net|org)$/;

const isExampleEmail = (email: string) => domainOf(email) === defaultBrand.domain || RESERVED.test(domainOf(email));

/** 555-0100 to 555-0199 belong to films and examples. */
const isExamplePhone = (phone: string) => /55501\d\d$/.test(phone.replace(/\D/g, ""));

const isExampleLine = (line: string) =>
  defaultBrand.address.some((one) => one.trim() === line.trim()) || /\bexample (street|road|avenue|city)\b/i.test(line);

/** Says which facts about the company are still ours. One that is left empty on purpose is none. */
export function exampleFacts({
  name,
  email,
  phone,
  address,
}: Pick<BrandSettings, "name" | "email" | "phone" | "address">) {
  return {
    // A company may be called as ours is: its mail says so.
    name:
      name === defaultBrand.name && (isExampleEmail(email) || !domainOf(email).startsWith(`${name.toLowerCase()}.`)),
    address: address.some(isExampleLine),
    phone: isExamplePhone(phone),
    email: isExampleEmail(email),
  };
}

const FACT_WORDS = { name: "name", address: "postal address", phone: "phone number", email: "email address" } as const;

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

function company({ brand, adminEmail }: ShortSettings): Judged {
  const chosen = brandSettings(brand);
  const examples = exampleFacts(chosen);
  const facts = Object.keys(FACT_WORDS) as (keyof typeof FACT_WORDS)[];
  const missing = facts.filter((fact) => examples[fact]).map((fact) => FACT_WORDS[fact]);
  if (missing.length === 0 && isExampleEmail(adminEmail))
    return {
      text: `${adminEmail} gets the notices now.`,
      missing: "the address for notices",
      label: "Set the address",
      isBegun: true,
    };
  if (missing.length > 0)
    return {
      missing: `your ${listed(missing)}`,
      text: "What stands there now is our example, on every page and in every mail.",
      label: missing.length === 1 ? `Add your ${missing[0]}` : "Fill in",
      isBegun: missing.length < facts.length,
    };
  const text = [chosen.name, chosen.address.at(-1), chosen.phone || "no phone number"].filter(Boolean).join(", ");
  return { text, missing: null, label: "Change" };
}

function hours({ openTimes, timeZone }: ShortSettings, { hasHours }: FirstHourFacts, now: Instant): Judged {
  const today = dayIn(timeZone, now);
  const ahead = openTimes.holidays.filter(({ day }) => day.length === 5 || day >= today).length;
  const times = `${weekInWords(openTimes.week)}, ${zoneName(timeZone)} time`;
  if (!hasHours) return { missing: "your hours", text: `We assume ${times}.`, label: "Set your hours" };
  if (ahead === 0) return { missing: "the holidays ahead", text: `${times}.`, label: "Choose holidays", isBegun: true };
  return { missing: null, text: `${times}, ${plural(ahead, "holiday")} ahead`, label: "Change" };
}

function prices({ prices: { plans } }: ShortSettings, { hasPrices }: FirstHourFacts): Judged {
  const amounts = Object.values(plans);
  const text = `${plural(amounts.length, "plan")}, from ${formatPrice(Math.min(...amounts))} to ${formatPrice(Math.max(...amounts))} per person`;
  return hasPrices
    ? { missing: null, text, label: "Change" }
    : { missing: "your prices", text: `The site shows our examples: ${text}.`, label: "Set your prices" };
}

function look({ brandColor, logo }: ShortSettings): Judged {
  if (brandColor && logo) return { missing: null, text: `${brandColor}, your own logo`, label: "Change" };
  const missing = [...(brandColor ? [] : ["color"]), ...(logo ? [] : ["logo"])];
  return {
    missing: `your ${listed(missing)}`,
    text: logo ? "Pages have our petrol." : "Our two check marks stand beside your name.",
    label: `Add your ${listed(missing)}`,
    isBegun: missing.length === 1,
  };
}

function legal({ legalReviewedAt }: ShortSettings, { legalChangedAt, reviewedBy }: FirstHourFacts): Judged {
  if (legalReviewedAt === null)
    return {
      missing: "your review",
      text: "Both pages carry our draft, with your name in it.",
      label: "Edit the texts",
    };
  if (legalChangedAt !== null && legalChangedAt > legalReviewedAt)
    return {
      missing: "your review",
      text: "A text was changed since it was reviewed.",
      label: "Edit the texts",
      isBegun: true,
    };
  return { missing: null, text: `Reviewed by ${reviewedBy ?? "a person who has left"}`, label: "Read again" };
}

const mail = ({ mailProvenAt }: FirstHourFacts): Judged =>
  mailProvenAt === null
    ? {
        missing: "a test mail that arrived",
        text: "Until then it is not known whether your mails reach people.",
        label: "Send a test mail",
      }
    : { missing: null, text: "A test mail has arrived", label: "Check again" };

function colleague({ colleague, invitedColleague }: FirstHourFacts): Judged {
  if (colleague) return { missing: null, text: `${colleague} can sign in`, label: "Invite another" };
  if (invitedColleague)
    return {
      missing: "their answer",
      text: `${invitedColleague} has an invitation.`,
      label: "See the invitation",
      to: USERS_PATH,
      isBegun: true,
    };
  return { missing: "a colleague", text: "They can help when you are locked out.", label: "Invite a colleague" };
}

function client({ client, organization }: FirstHourFacts): Judged {
  if (client) return { missing: null, text: `${client} has accepted`, label: "Open", to: ORGANIZATIONS_PATH };
  if (organization)
    return {
      missing: "their answer",
      text: `${organization} has no one yet who can sign in.`,
      label: "See the invitation",
      to: ORGANIZATIONS_PATH,
      isBegun: true,
    };
  return { missing: "a client", text: "An organization, and the person who owns it.", label: "Add a client" };
}

function ticket({ isTicketAnswered, waitingTicket }: FirstHourFacts): Judged {
  if (isTicketAnswered)
    return { missing: null, text: "Your first answer is out", label: "Open", to: STAFF_TICKETS_PATH };
  if (waitingTicket)
    return {
      missing: "your answer",
      text: `${waitingTicket.number} “${waitingTicket.title}” waits.`,
      label: "Answer it",
      to: staffTicketPath(waitingTicket.number),
      isBegun: true,
    };
  return { missing: "a ticket", text: "Your client writes one, or you open one for them.", label: "Open a ticket" };
}

const site = ({ siteSeenAt }: ShortSettings): Judged =>
  siteSeenAt === null
    ? { missing: "a look at it", text: "As a visitor, on your phone too.", label: "See your site" }
    : { missing: null, text: "You have looked at it as visitors do", label: "See it again" };

/** Judges each step by what is stored: an example is not done. */
export function firstHourSteps(settings: ShortSettings, facts: FirstHourFacts, now: Instant): FirstHourStep[] {
  const step = (id: StepId, title: string, at: { to: string; minutes: number }, judged: Judged): FirstHourStep => ({
    id,
    title,
    ...at,
    ...judged,
    state: judged.missing === null ? "done" : judged.isBegun ? "begun" : "open",
  });
  const to = (path: string, minutes: number) => ({ to: path, minutes });
  return [
    step("company", "Company and contact", to(groupPath("company"), 3), company(settings)),
    step("hours", "Hours, time zone, holidays", to(groupPath("hours"), 3), hours(settings, facts, now)),
    step("prices", "Prices and plans", to(groupPath("prices"), 4), prices(settings, facts)),
    step("look", "Color and logo", to(groupPath("look"), 3), look(settings)),
    step("legal", "Terms and privacy", to(groupPath("terms"), 8), legal(settings, facts)),
    step("mail", "Mail goes out", to(MAIL_SETUP_PATH, 5), mail(facts)),
    step("colleague", "First colleague", to(NEW_USER_PATH, 2), colleague(facts)),
    step("client", "First client", to(NEW_ORGANIZATION_PATH, 3), client(facts)),
    step("ticket", "First ticket answered", to(STAFF_NEW_TICKET_PATH, 3), ticket(facts)),
    step("site", "See your site", to("/", 3), site(settings)),
  ];
}
