import * as z from "zod";
import { type AddOnId, addOns } from "~/content/add-ons";
import { ReasonField } from "~/features/audit/record-audit.server";
import { EmailField, nameField, PhoneField } from "~/features/auth/forms.server";
import { CHOOSE_OWNER } from "~/features/members/labels";
import {
  ORGANIZATION_DESCRIPTION_MAX,
  ORGANIZATION_NAME_MAX,
  ORGANIZATION_PLANS,
} from "~/features/organizations/model";
import { absentAsEmpty } from "~/lib/form";
import { isId } from "~/lib/ids";
import { excerpt } from "~/lib/text";
import { versionField } from "~/platform/form-actions.server";
import { DOMAIN_FREE_MAIL, DOMAIN_INVALID, FORM_COPY } from "./labels";
import type { OrganizationDetails } from "./model";

const DOMAINS_MAX = 20;

/** Lists domains at which anybody may have a mailbox, so that none of them belongs to one organization. */
const FREE_MAIL: ReadonlySet<string> = new Set(
  `126.com 163.com aim.com aol.com att.net bellsouth.net bigpond.com bluewin.ch bol.com.br bt.com btinternet.com
  charter.net comcast.net cox.net daum.net duck.com earthlink.net email.com fastmail.com fastmail.fm free.fr freenet.de
  frontier.com gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com hanmail.net hey.com hotmail.co.uk
  hotmail.com hotmail.de hotmail.es hotmail.fr hotmail.it hushmail.com icloud.com inbox.com juno.com laposte.net
  libero.it list.ru live.ca live.co.uk live.com live.de live.fr live.nl lycos.com mac.com mail.com mail.ru mailbox.org
  me.com msn.com naver.com netzero.net optonline.net optusnet.com.au orange.fr outlook.com outlook.de outlook.es
  outlook.fr pm.me posteo.de proton.me protonmail.ch protonmail.com qq.com rediffmail.com rocketmail.com rogers.com
  sbcglobal.net sfr.fr shaw.ca sky.com skynet.be sympatico.ca t-online.de talktalk.net telus.net terra.com.br tuta.com
  tuta.io tutamail.com tutanota.com tutanota.de uol.com.br usa.net verizon.net virgilio.it virgin.net virginmedia.com
  wanadoo.fr web.de windowslive.com windstream.net ya.ru yahoo.ca yahoo.co.in yahoo.co.jp yahoo.co.uk yahoo.com
  yahoo.com.au yahoo.com.br yahoo.de yahoo.es yahoo.fr yahoo.it yandex.com yandex.ru ymail.com zoho.com zohomail.com`.split(
    /\s+/,
  ),
);

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const TOP_LEVEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;

function domainIn(line: string): string | null {
  const text = line.trim().replace(/^@/, "").replace(/\.$/, "");
  // What has a meaning in an address of the web besides its host is no domain.
  if (/[\s/\\?#@:%[\]]/.test(text)) return null;
  try {
    const { hostname } = new URL(`http://${text}`);
    const labels = hostname.split(".");
    const isDomain =
      hostname.length <= 253 &&
      labels.length >= 2 &&
      labels.every((label) => LABEL.test(label)) &&
      TOP_LEVEL.test(labels.at(-1) ?? "");
    return isDomain ? hostname : null;
  } catch {
    return null;
  }
}

type TypedDomains = { domains: string[]; invalid: string[]; freeMail: string[] };

/** Reads domains, one a line or separated by commas or blanks: each once, and those that cannot be used. */
export function readDomains(text: string): TypedDomains {
  const read: TypedDomains = { domains: [], invalid: [], freeMail: [] };
  for (const line of text.split(/[\s,;]+/).filter(Boolean)) {
    const domain = domainIn(line);
    if (domain === null) read.invalid.push(line);
    else if (FREE_MAIL.has(domain)) read.freeMail.push(domain);
    else if (!read.domains.includes(domain)) read.domains.push(domain);
  }
  return read;
}

/** Reads domains, one a line. Whether another organization has one of them is known by the database. */
const DomainsField = z.string().transform((text, issues): string[] => {
  const { domains, invalid, freeMail } = readDomains(text);
  const reject = (message: string) => issues.addIssue({ code: "custom", message });
  if (invalid[0] !== undefined) reject(DOMAIN_INVALID(excerpt(invalid[0], 60)));
  else if (freeMail[0] !== undefined) reject(DOMAIN_FREE_MAIL(freeMail[0]));
  else if (domains.length > DOMAINS_MAX) reject(FORM_COPY.too_many_domains);
  return domains;
});

const ADD_ON_IDS = addOns.map(({ id }) => id);

export const organizationFields = {
  name: nameField(ORGANIZATION_NAME_MAX, { missing: FORM_COPY.name_required, tooLong: FORM_COPY.name_too_long }),
  description: z.string().trim().max(ORGANIZATION_DESCRIPTION_MAX, FORM_COPY.description_too_long),
  phone: PhoneField,
  /** Names the plan; empty: none. */
  plan: z
    .string()
    .transform((text) => text || "none")
    .pipe(z.enum(ORGANIZATION_PLANS, FORM_COPY.plan_unknown)),
  domains: DomainsField,
  review_contacts: z.string().transform(Boolean),
  ...(Object.fromEntries(ADD_ON_IDS.map((id) => [id, z.string()])) as Record<AddOnId, z.ZodString>),
};

export const ORGANIZATION_FIELDS = Object.keys(organizationFields);

export const detailsIn = (fields: z.infer<z.ZodObject<typeof organizationFields>>): OrganizationDetails => {
  const { name, description, phone, plan, domains, review_contacts: reviewsContacts } = fields;
  const chosen = ADD_ON_IDS.filter((id) => fields[id] !== "");
  return { name, description, phone, plan, domains, reviewsContacts, addOns: plan === "none" ? [] : chosen };
};

/** Accepts one address, or none: null. */
const OptionalEmail = z
  .string()
  .transform((text) => text.trim() || null)
  .pipe(EmailField.nullable());

export const NewOrganizationForm = absentAsEmpty(
  [...ORGANIZATION_FIELDS, "owner_email"],
  z
    .object({ ...organizationFields, owner_email: OptionalEmail })
    .transform(({ owner_email, ...fields }) => ({ ...detailsIn(fields), ownerEmail: owner_email })),
);

export const EditOrganizationForm = absentAsEmpty(
  ORGANIZATION_FIELDS,
  z
    .object({
      ...organizationFields,
      version: versionField,
    })
    .transform(({ version, ...fields }) => ({ ...detailsIn(fields), version })),
);

export const OwnerForm = absentAsEmpty(["owner_email"], z.object({ owner_email: EmailField }));

export const DeleteOrganizationForm = absentAsEmpty(
  ["name"],
  z.object({
    name: z.string().trim(),
    version: versionField,
  }),
);

export const OwnershipTransferForm = absentAsEmpty(
  ["membership_id", "reason"],
  z.object({
    membership_id: z.string().refine((id) => isId("mem", id), CHOOSE_OWNER),
    reason: ReasonField,
  }),
);
