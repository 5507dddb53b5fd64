import * as z from "zod";
import { ReasonField } from "~/features/audit/record-audit.server";
import { EmailField, nameField } from "~/features/auth/forms.server";
import { CHOOSE_OWNER } from "~/features/members/copy";
import { DOMAINS_MAX, readDomains } from "~/features/organizations/domains";
import { ORGANIZATION_PLANS } from "~/features/organizations/model";
import { absentAsEmpty } from "~/lib/form";
import { isId } from "~/lib/ids";
import { excerpt } from "~/lib/text";
import { DOMAIN_FREE_MAIL, DOMAIN_INVALID, FORM_COPY } from "./copy";
import { DESCRIPTION_MAX, NAME_MAX } from "./model";

/** Reads domains, one a line. Whether another organization has one of them is known by the database. */
const DomainsField = z.string().transform((text, issues): string[] => {
  const { domains, invalid, freeMail } = readDomains(text);
  const reject = (message: string) => issues.addIssue({ code: "custom", message });
  if (invalid[0] !== undefined) reject(DOMAIN_INVALID(excerpt(invalid[0], 60)));
  else if (freeMail[0] !== undefined) reject(DOMAIN_FREE_MAIL(freeMail[0]));
  else if (domains.length > DOMAINS_MAX) reject(FORM_COPY.too_many_domains);
  return domains;
});

const organizationFields = {
  name: nameField(NAME_MAX, { missing: FORM_COPY.name_required, tooLong: FORM_COPY.name_too_long }),
  description: z.string().trim().max(DESCRIPTION_MAX, FORM_COPY.description_too_long),
  /** Names the plan; empty: none. */
  plan: z
    .string()
    .transform((text) => text || "none")
    .pipe(z.enum(ORGANIZATION_PLANS, FORM_COPY.plan_unknown)),
  domains: DomainsField,
};

const FIELDS = Object.keys(organizationFields);

/** Accepts one address, or none: null. */
const OptionalEmail = z
  .string()
  .transform((text) => text.trim() || null)
  .pipe(EmailField.nullable());

export const NewOrganizationForm = absentAsEmpty(
  [...FIELDS, "owner_email"],
  z
    .object({ ...organizationFields, owner_email: OptionalEmail })
    .transform(({ owner_email, ...details }) => ({ ...details, ownerEmail: owner_email })),
);

/** Reads the form that changes an organization. `version` is the one the person has read. */
export const EditOrganizationForm = absentAsEmpty(
  FIELDS,
  z.object({
    ...organizationFields,
    version: z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  }),
);

/** Reads the form that invites an owner. */
export const OwnerForm = absentAsEmpty(["owner_email"], z.object({ owner_email: EmailField }));

/** Reads the form that deletes an organization, besides the proof of identity. */
export const DeleteOrganizationForm = absentAsEmpty(
  ["name"],
  z.object({
    name: z.string().trim(),
    version: z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  }),
);

/** Reads the form that passes ownership on, besides the proof of identity. */
export const OwnershipForm = absentAsEmpty(
  ["membership_id", "reason"],
  z.object({
    membership_id: z.string().refine((id) => isId("mem", id), CHOOSE_OWNER),
    reason: ReasonField,
  }),
);
