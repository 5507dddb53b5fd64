import { Form, SubmitButton } from "~/ui/form";
import { Select } from "~/ui/select";
import { VisuallyHidden } from "~/ui/visually-hidden";
import { type OfferedOrganization, SWITCH_PATH } from "../model";

type OrganizationSwitcherProps = {
  /** Names the organization that the page is about. */
  organization: OfferedOrganization;
  /** Lists the organizations that the person may switch to, this one included. */
  organizations: readonly OfferedOrganization[];
  token: string;
};

/**
 * Shows which organization the page is about, as a form to change it where there is another. The button appears once
 * another one is chosen; the next document belongs to that organization as a whole.
 */
export function OrganizationSwitcher({ organization, organizations, token }: OrganizationSwitcherProps) {
  if (organizations.length < 2) {
    return <p className={`${PLACE} wrap-anywhere py-2 font-semibold`}>{organization.name}</p>;
  }
  return (
    <Form className={`${PLACE} group flex items-center gap-2`} action={SWITCH_PATH} token={token} reloadDocument>
      <input type="hidden" name="intent" value="switch" />
      <label className="min-w-0 max-md:flex-1" htmlFor="organization">
        <VisuallyHidden>Organization</VisuallyHidden>
        <Select
          key={organization.id}
          id="organization"
          className="max-w-full font-semibold md:max-w-64 md:border-transparent md:bg-transparent md:hover:border-control"
          name="organization_id"
          autoComplete="off"
          defaultValue={organization.id}
          options={organizations.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </label>
      <SubmitButton
        variant="quiet"
        size="sm"
        className="supports-[selector(:has(a))]:not-group-has-[option:checked:not([selected])]:hidden max-md:min-h-11"
      >
        Switch
      </SubmitButton>
    </Form>
  );
}

const PLACE = "min-w-0 border-line max-md:order-4 max-md:w-full md:border-l md:pl-5";
