import { Field } from "~/ui/field";
import { type Option, Select } from "~/ui/select";
import { ROLE_LABELS, STATUS_LABELS } from "../copy";
import { MEMBER_ROLES, MEMBERSHIP_STATUSES } from "../model";

const ROLES: readonly Option[] = [
  { value: "", label: "Any role" },
  ...MEMBER_ROLES.map((value) => ({ value, label: ROLE_LABELS[value] })),
];
const STATUSES: readonly Option[] = [
  { value: "", label: "Any status" },
  ...MEMBERSHIP_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] })),
];

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
