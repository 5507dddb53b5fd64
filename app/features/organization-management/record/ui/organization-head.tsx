import { ORGANIZATIONS_PATH } from "~/features/organizations/subject";
import { Breadcrumb } from "~/ui/breadcrumb";
import { LinkButton } from "~/ui/button";
import { ErrorSummary } from "~/ui/error-summary";
import { Notice } from "~/ui/flash";
import { Form, SubmitButton } from "~/ui/form";
import { Tag } from "~/ui/status-pill";
import { deletionPath } from "../../addresses";
import { NEEDS_REVIEW } from "../../copy";
import type { OrganizationRecord, RecordFormError } from "../../model";

type OrganizationHeadProps = {
  organization: OrganizationRecord;
  path: string;
  mayDelete: boolean;
  /** Holds the token of the form that ends the review; `null` where the reader may not send it. */
  reviewToken: string | null;
  error: RecordFormError | null;
  /** Holds the name of its creator, who waits for the review; null: nobody waits. */
  waiting: string | null;
};

/** Shows which organization it is, whether it is to be reviewed, and the way to its deletion. */
export function OrganizationHead({
  organization,
  path,
  mayDelete,
  reviewToken,
  error,
  waiting,
}: OrganizationHeadProps) {
  const { id, name, needsReview } = organization;
  return (
    <>
      <Breadcrumb dense items={[{ label: "Organizations", to: ORGANIZATIONS_PATH }, { label: name }]} />
      <div className="clear-both mb-4 flex flex-wrap items-center gap-x-[0.9rem] gap-y-2">
        <h1 className="wrap-anywhere">{name}</h1>
        {needsReview ? <Tag className="font-semibold">{NEEDS_REVIEW}</Tag> : null}
        {mayDelete ? (
          <LinkButton className="ml-auto max-md:ml-0" variant="quiet" size="sm" to={deletionPath(id)}>
            Delete…
          </LinkButton>
        ) : null}
      </div>
      {error ? <ErrorSummary className="mb-4" title={error.title} errors={error.errors} /> : null}
      {needsReview ? (
        <div className="mb-4 grid gap-2">
          <Notice
            kind="info"
            title="Created by a client."
            message={`Check name, plan and domains, then mark it as reviewed.${waiting ? ` ${waiting} gets in with that.` : ""}`}
          />
          {reviewToken ? (
            <Form action={path} token={reviewToken} name="review" className="print:hidden">
              <SubmitButton size="sm" name="intent" value="review" pendingLabel="Saving...">
                Reviewed
              </SubmitButton>
            </Form>
          ) : null}
        </div>
      ) : null}
    </>
  );
}
