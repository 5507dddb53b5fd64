import * as z from "zod";
import type { StaffActor } from "~/features/auth/guards.server";
import { isId } from "~/lib/ids";
import type { Ctx } from "~/platform/context.server";
import { type FormAction, rejectButton } from "~/platform/form-actions.server";
import { done, notFound } from "~/platform/responses.server";
import { removeAddress, reviewContact } from "./commands.server";

const ContactForm = z.object({ contact: z.string().refine((id) => isId("con", id)) });

const CONFIRMED = { title: "Confirmed", message: "They are one of the organization." };
const REFUSED = {
  title: "Not one of ours",
  message: "No ticket is mailed to them any more, and what they write is held.",
};
const REVIEWED_MEANWHILE = { title: "Already reviewed", message: "A colleague has decided otherwise." };

type Review<Params> = FormAction<StaffActor, Params, never, z.output<typeof ContactForm>>;

const AddressForm = z.object({ address: z.string().max(320) });

/** Takes a further address from a person, on any page that shows it. */
export const removeAddressAction = <Params>(
  pathOf: (params: Params) => string,
  purpose = "address-remove",
): FormAction<StaffActor, Params, never, z.output<typeof AddressForm>> => ({
  ability: "ticket.handle",
  purpose,
  form: AddressForm,
  invalid: (problem, { params }) => rejectButton(pathOf(params), problem, "Nothing was done. Try again."),
  run: async (ctx, actor, { params, input: { address }, nonce }) => {
    const removed = await removeAddress(ctx, actor, { email: address, nonce });
    if (!removed.ok) return notFound();
    const message = `Mail from ${address} is held again. What it has brought stays.`;
    return done({ to: pathOf(params), flash: { kind: "success", title: "Address removed", message } });
  },
});

/** Returns the actions of a page on which a contact is reviewed. `organizationOf`: null: the page is of none. */
export function contactReviewActions<Params extends { path: string }>(
  organizationOf: (ctx: Ctx, params: Params) => Promise<string | null>,
): Record<"confirm_contact" | "refuse_contact", Review<Params>> {
  const action = (isOurs: boolean): Review<Params> => ({
    ability: "ticket.handle",
    purpose: isOurs ? "contact-confirm" : "contact-refuse",
    form: ContactForm,
    invalid: (problem, { params: { path } }) => rejectButton(path, problem, "Nothing was done. Try again."),
    run: async (ctx, actor, { params, input: { contact: contactId }, nonce }) => {
      const organizationId = await organizationOf(ctx, params);
      if (organizationId === null) return notFound();
      const reviewed = await reviewContact(ctx, actor, { contactId, organizationId, isOurs, nonce });
      const to = params.path;
      if (reviewed.ok) return done({ to, flash: { kind: "success", ...(isOurs ? CONFIRMED : REFUSED) } });
      return reviewed.code === "decided" ? done({ to, flash: { kind: "info", ...REVIEWED_MEANWHILE } }) : notFound();
    },
  });
  return { confirm_contact: action(true), refuse_contact: action(false) };
}
