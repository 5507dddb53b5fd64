import { Field } from "~/ui/field";
import { type Option, optionsWithNone, Select } from "~/ui/select";
import { ROLE_LABELS, STATUS_LABELS } from "../copy";
import { MEMBER_ROLES, MEMBERSHIP_STATUSES } from "../model";

const ROLES: readonly Option[] = optionsWithNone("Any role", MEMBER_ROLES, ROLE_LABELS);
const STATUSES: readonly Option[] = optionsWithNone("Any status", MEMBERSHIP_STATUSES, STATUS_LABELS);

/** Asks for the role and the status by which a list of members is filtered. */
export function MembershipFields({ role, status }: { role: string; status: string }) {
  return (
    <>
      <Field name="role" id="filter-role" label="Role">
        <Select options={ROLES} defaultValue={role} />
      </Field>
      <Field name="status" id="filter-status" label="Status">
        <Select options={STATUSES} defaultValue={status} />
      </Field>
    </>
  );
}
