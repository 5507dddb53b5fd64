import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useRef } from "react";
import { requireStaff } from "~/features/auth/guards.server";
import { adminTitle } from "~/features/settings/brand";
import { confirmDeletion } from "~/features/submissions/labels";
import { deletionActions } from "~/features/submissions/list/actions.server";
import { DeleteConfirmation } from "~/features/submissions/list/delete-confirmation";
import type { DeletionConfirmation } from "~/features/submissions/model";
import { DELETION_PATH, SUBMISSIONS_PATH } from "~/features/submissions/subject";
import { runFormAction } from "~/platform/form-actions.server";
import { LinkButton } from "~/ui/button";
import { formKey, useFormResult } from "~/ui/form";
import { EmptyState, Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => adminTitle(page, "Delete submissions");

/** Loads nothing: the confirmation page is the response to a post from the list. */
export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context, "submission.delete");
  return null;
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "submission.delete");
  return runFormAction(context, deletionActions, { actor, request, params: null });
}

export default function DeleteSubmissionsPage() {
  const answer = useFormResult<DeletionConfirmation>(formKey(DELETION_PATH, "delete"));
  // A deletion that failed says so in its form, and can be sent again.
  const asked = useRef(answer);
  asked.current = answer ?? asked.current;
  const confirmation = asked.current;
  if (!confirmation) {
    return (
      <Page title="Delete submissions">
        <EmptyState
          title="Nothing is selected"
          body="Select the submissions in their list first."
          action={<LinkButton to={SUBMISSIONS_PATH}>Back to the list</LinkButton>}
        />
      </Page>
    );
  }
  return (
    <Page title={confirmDeletion(confirmation.rows.length)}>
      <DeleteConfirmation {...confirmation} />
    </Page>
  );
}
