import { useFetcher } from "@remix-run/react";
import { useRef, useState } from "react";
import { PLAN_LABELS } from "~/features/organizations/model";
import { ErrorSummary } from "~/ui/error-summary";
import { FactList } from "~/ui/fact-list";
import { Form, SubmitButton } from "~/ui/form";
import { formKey } from "~/ui/form-answer";
import { Panel } from "~/ui/panel";
import { UserText } from "~/ui/user-text";
import type { OrganizationRecord, RecordFormError } from "../../model";
import { OrganizationFields, typedValues } from "../../ui/organization-fields";
import { OrganizationConflict } from "./organization-conflict";

type EditOrganizationProps = {
  organization: OrganizationRecord;
  /** Holds the address of the page, which takes the forms. */
  path: string;
  /** Holds the token of the form; `null` where the reader may change nothing. */
  token: string | null;
  error: RecordFormError | null;
};

/** Shows what an organization is, and the form that changes it. */
export function EditOrganization({ organization, path, token, ...rest }: EditOrganizationProps) {
  const error = useSettled(rest.error, path);
  if (!token) return <Details organization={organization} />;
  if (error?.isConflict) {
    return <OrganizationConflict current={organization} typed={typedValues(error.values)} token={token} path={path} />;
  }
  return (
    <div id="edit" className="scroll-mt-4">
      <Panel id="details" title="Edit organization">
        <Form action={path} token={token} name="edit" className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
          <Fields organization={organization} error={error} />
          <div>
            <SubmitButton name="intent" value="edit" pendingLabel="Saving...">
              Save
            </SubmitButton>
          </div>
        </Form>
      </Panel>
    </div>
  );
}

/** Keeps an error until the page has read what was saved: a form made before that would show what was there before. */
function useSettled(error: RecordFormError | null, path: string): RecordFormError | null {
  const { state } = useFetcher({ key: formKey(path, "edit") });
  const settled = useRef(error);
  if (state === "idle") settled.current = error;
  return settled.current;
}

type FieldsProps = { organization: OrganizationRecord; error: RecordFormError | null };

/**
 * Shows the fields with what was opened, which is what is changed, also after the page has read a newer version. Once
 * saved, the form makes them anew.
 */
function Fields({ organization, error }: FieldsProps) {
  const [{ version, domains, ...opened }] = useState(organization);
  const values = error ? typedValues(error.values) : { ...opened, domains: domains.join("\n") };
  return (
    <>
      <input type="hidden" name="version" value={error?.values.version ?? version} />
      <OrganizationFields values={values} errors={error?.errors ?? {}} />
    </>
  );
}

function Details({ organization }: { organization: OrganizationRecord }) {
  const { description, plan, domains } = organization;
  return (
    <Panel id="details" title="Details">
      <FactList
        facts={[
          { term: "Description", detail: description ? <UserText size="sm">{description}</UserText> : null },
          { term: "Plan", detail: PLAN_LABELS[plan] },
          { term: "Domains", detail: domains.length > 0 ? domains.join(", ") : null },
        ]}
      />
    </Panel>
  );
}
