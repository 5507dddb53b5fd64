import type { ValidationError } from "~/lib/form";
import type { InvitePage } from "../load-invite-page.server";
import { EndedInvitation } from "./ended-invitation";
import { InviteCard } from "./invite-card";

/** Shows the page of an invitation: what it asks for, or why it asks for nothing. */
export function InviteScreen({ validationError, ...page }: InvitePage & { validationError: ValidationError | null }) {
  const { step, invitation } = page;
  switch (step) {
    case "set_up":
    case "accept":
    case "sign_in":
    case "decline":
      return invitation ? (
        <InviteCard step={step} invitation={invitation} token={page.token} validationError={validationError} />
      ) : null;
    default:
      return <EndedInvitation {...page} step={step} />;
  }
}
